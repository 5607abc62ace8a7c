/* Two receives from any source, but by different tags: each can take one message only.
 */
/* expect:
 *   np: >= 3
 *   verdict: exact for any np >= 3
 *   channel: line +14 -> line +16
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: line +14 -> line +17
 *     senders [2..2] to 0
 *     receivers [0..0] from 2
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   fact: line +18 printf on [0..0]: first = 1, second = 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1 || rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d then %d\n", first, second);
    }
    MPI_Finalize();
    return 0;
}
