/* A persistent receive is freed behind the wait of its last round.
 *
 * Right; near-miss of request-missing-wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +16 -> MPI_Recv_init line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 2
 *   pattern: ring of line +16 -> MPI_Recv_init line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&request);
        MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        mine = theirs;
    }
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
