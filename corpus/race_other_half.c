/* One half of the buffer is sent while the other is filled.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +13 -> line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     2 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +13 -> line +16
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, buffer[4] = {0}, in[2];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Isend(&buffer[0], 2, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
    buffer[2] = rank;
    buffer[3] = size;
    MPI_Recv(&in, 2, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffer[0] = buffer[2];
    MPI_Finalize();
    return 0;
}
