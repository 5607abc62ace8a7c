/* A sum is the same in whatever order its parts come.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +12 -> line +15
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +12 -> line +15
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, part, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&part, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ NOTE use-collective: MPI_Reduce
            sum += part;
        }
        if (sum != size * (size - 1) / 2)
            printf("wrong: %d\n", sum);
    }
    MPI_Finalize();
    return 0;
}
