/* Two receives are under way into one buffer.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +15 -> MPI_Irecv line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +16 -> MPI_Irecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +15 -> MPI_Irecv line +13
 *   pattern: ring of line +16 -> MPI_Irecv line +14
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[1]); //~ MUST buffer-race
    MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
