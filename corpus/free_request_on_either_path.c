/* The first rank frees its persistent request without having used it, as it has none to send to it; the others after the last wait.
 *
 * Right; near-miss of double-free, use-after-free, request-leak and persistent-not-started.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +22 -> MPI_Recv_init line +15
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: shift of line +22 -> MPI_Recv_init line +15
 */
#include <mpi.h>

#define STEPS 3

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Request_free(&request);
    for (int step = 0; step < STEPS; step++) {
        if (rank > 0)
            MPI_Start(&request);
        if (rank < size - 1)
            MPI_Send(&mine, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        if (rank > 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank > 0)
        MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
