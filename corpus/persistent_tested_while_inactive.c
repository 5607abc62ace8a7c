/* Tests of a persistent request that has not been started, and of one that is complete, succeed at once.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +17 -> MPI_Recv_init line +11
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +21, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +17 -> MPI_Recv_init line +11
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, flag, in = 0, out = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Recv_init(&in, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (flag)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
