/* The receive is waited for twice in each round, the send never: the second wait meets an operation that is complete. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +15 -> MPI_Recv_init line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Send_init line +15 -> MPI_Recv_init line +16
 */
#include <mpi.h>

#define ROUNDS 3

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
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Start(&receive);
        MPI_Start(&send);                        //~ MUST request-reuse: is started again
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);   //~ MUST request-not-active: has been waited for already
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);

    MPI_Finalize();
    return 0;
}
