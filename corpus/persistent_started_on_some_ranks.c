/* All ranks prepare a send and a receive; the ends of the line start only one of them, but all wait for both and free both.
 *
 * Right; near-miss of persistent-not-started and request-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +13 -> MPI_Recv_init line +14
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Send_init line +13 -> MPI_Recv_init line +14
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request send, receive;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &send);
    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &receive);
    if (rank > 0)
        MPI_Start(&receive);
    if (rank < size - 1)
        MPI_Start(&send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);

    MPI_Finalize();
    return 0;
}
