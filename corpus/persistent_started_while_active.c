/* The wait for a persistent send stands behind the loop that starts it: from the second step on it is started while active. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +15 -> line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 4
 *   pattern: ring of MPI_Send_init line +15 -> line +18
 */
#include <mpi.h>

#define STEPS 4

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < STEPS; step++) {
        MPI_Start(&request); //~ MUST request-reuse
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
