/* Of two persistent requests only the receive is freed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +15 -> MPI_Recv_init line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Send_init line +15 -> MPI_Recv_init line +14
 */
#include <mpi.h>

#define STEPS 3

int main(int argc, char **argv)
{
    int rank, size, out = 0, in = 0;
    MPI_Request receive, send;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &receive);
    MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &send); //~ MUST request-leak
    for (int step = 0; step < STEPS; step++) {
        out = rank + step;
        MPI_Start(&receive);
        MPI_Start(&send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&receive);

    MPI_Finalize();
    return 0;
}
