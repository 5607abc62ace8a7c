/* A gather written by hand that counts down: the root takes from the last rank first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, number, highest = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    number = 7 * rank % 5;
    if (rank > 0) {
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                         //@ give
    } else {
        for (int from = np - 1; from >= 1; from--) {
            MPI_Recv(&number, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take //~ NOTE use-collective: MPI_Reduce
            if (number > highest)
                highest = number;
        }
        printf("highest: %d\n", highest);
    }

    MPI_Finalize();
    return 0;
}
