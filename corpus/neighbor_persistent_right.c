/* What comes from the neighbours on a line is told once and exchanged three times.
 *
 * Persistent collectives came with MPI-4; with an older library the calls are plain ones.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no persistent collectives
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +15: how many bytes MPI_Neighbor_allgather_init accesses of its buffer is not known
 *   channel: MPI_Neighbor_allgather_init line +15 -> MPI_Neighbor_allgather_init line +15
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 3
 *   channel: MPI_Neighbor_allgather_init line +15 -> MPI_Neighbor_allgather_init line +15
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_allgather_init line +15, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 3
 *   pattern: shift of MPI_Neighbor_allgather_init line +15 -> MPI_Neighbor_allgather_init line +15
 *   pattern: shift of MPI_Neighbor_allgather_init line +15 -> MPI_Neighbor_allgather_init line +15
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, rank, closed = 0, step, mine, theirs[2] = {-1, -1};
    MPI_Comm line;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &closed, 0, &line);
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Neighbor_allgather_init(&mine, 1, MPI_INT, theirs, 1, MPI_INT, line, MPI_INFO_NULL, &request);
    for (step = 0; step < 3; step++) {
        mine = rank * step;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#else
    for (step = 0; step < 3; step++) {
        mine = rank * step;
        MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, line);
    }
#endif
    MPI_Comm_free(&line);
    printf("%d %d\n", theirs[0], theirs[1]);
    MPI_Finalize();
    return 0;
}
