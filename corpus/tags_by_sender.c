/* Each rank sends with its own number as the tag, and expects that of its neighbour.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +13 -> line +14
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     1 MPI_INT, tag np - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +13 -> line +14
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag receiver - 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend line +13 -> line +14
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, in;
    MPI_Request request;

    MPI_Isend(&rank, 1, MPI_INT, right, rank, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_INT, left, left, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
