/* Every request of an array is freed, and then once more: its handle is null by then. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +13 -> MPI_Recv_init line +12
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Send_init line +13 -> MPI_Recv_init line +12
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine = 1, theirs = 0;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);                       //~ MUST double-free
    MPI_Finalize();
    return 0;
}
