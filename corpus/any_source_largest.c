/* The largest of all is the same in whatever order they come.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +14 -> line +18
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +14 -> line +18
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double mine, got, most;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = 1.0 / (1 + rank % 3);
    if (rank > 0) {
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    } else {
        most = mine;
        for (int i = 1; i < size; i++) {
            MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ NOTE use-collective: MPI_Reduce
            if (got > most)
                most = got;
        }
        printf("%f\n", most);
    }
    MPI_Finalize();
    return 0;
}
