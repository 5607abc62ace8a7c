/* A persistent send is tested before it is started: nothing is under way, so the test tells each rank that all is complete, and nobody
 * comes to the barrier.
 *
 * Right; near-miss of missing-collective and deadlock.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +12 -> line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 2
 *   pattern: ring of MPI_Send_init line +12 -> line +19
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0, done = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int round = 0; round < 2; round++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && rank == 0)
            MPI_Barrier(MPI_COMM_WORLD);
        mine = rank + round;
        MPI_Start(&request);
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
