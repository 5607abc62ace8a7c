/* The first of two answers is taken for that of rank 1, which it need not be.
 */
/* expect:
 *   np: 3
 *   verdict: exact for np = 3
 *   channel: line +19 -> line +15
 *     senders [1..2] to 0
 *     receivers [0..0] from each of [1..2]
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat unknown
 *   channel: line +19 -> line +16
 *     senders [1..2] to 0
 *     receivers [0..0] from each of [1..2]
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat unknown
 *   pattern: gather of line +19 -> line +15
 *   pattern: gather of line +19 -> line +16
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, answer, low, high;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    answer = 100 * rank;
    if (rank == 0) {
        MPI_Recv(&low, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST message-race: ranks [1..2]
        MPI_Recv(&high, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("from %d to %d\n", low, high);
    } else {
        MPI_Send(&answer, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
