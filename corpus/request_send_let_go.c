/* An active send is let go with MPI_Request_free; a barrier behind the receive shows that the buffer may be changed.
 *
 * Right; near-miss of request-missing-wait and request-reuse.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +16 -> line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Barrier line +19, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Isend line +16 -> line +18
 */
#include <mpi.h>

#define ROUNDS 3

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int round = 0; round < ROUNDS; round++) {
        mine = rank + round;
        MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
