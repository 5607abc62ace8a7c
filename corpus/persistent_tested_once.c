/* A persistent receive is tested once, whatever the answer; then its request is freed. Where the message was not there yet, nothing
 * tells when it is.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +15 -> MPI_Recv_init line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Send_init line +15 -> MPI_Recv_init line +14
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, done, in = 0, out;
    MPI_Request send, receive;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    out = rank + 1;
    MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &receive);
    MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &send);
    MPI_Start(&receive); //~ MUST request-missing-wait
    MPI_Start(&send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);

    printf("%d\n", out);
    MPI_Finalize();
    return 0;
}
