/* After MPI_Finalize each process ends by itself: that rank 0 says so with another number is the end of rank 0 only. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +11 -> line +13
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +11 -> line +13
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
    if (rank + 1 < size)
        MPI_Recv(&sum, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (rank == 0)
        exit(sum > 1);
    _Exit(0);
}
