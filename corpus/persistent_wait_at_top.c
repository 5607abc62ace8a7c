/* The wait stands at the top of the loop: in the first step it meets an inactive persistent request and returns at once.
 *
 * Right; near-miss of persistent-not-started, request-not-active and request-reuse.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +14 -> line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 5
 *   pattern: ring of MPI_Send_init line +14 -> line +19
 */
#include <mpi.h>

#define STEPS 5

int main(int argc, char **argv)
{
    int rank, size, mine = 0, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < STEPS; step++) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        mine = rank * step;
        MPI_Start(&request);
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
