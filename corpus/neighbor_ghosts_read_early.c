/* What comes from the neighbours in a ring is looked at before the exchange is complete.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Ineighbor_alltoall line +17 -> MPI_Ineighbor_alltoall line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 4
 *   channel: MPI_Ineighbor_alltoall line +17 -> MPI_Ineighbor_alltoall line +17
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 4
 *   collective: MPI_Cart_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ineighbor_alltoall line +17, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 4
 *   pattern: ring of MPI_Ineighbor_alltoall line +17 -> MPI_Ineighbor_alltoall line +17
 *   pattern: ring of MPI_Ineighbor_alltoall line +17 -> MPI_Ineighbor_alltoall line +17
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, rank, closed = 1, step;
    double edges[2], ghosts[2], sum = 0;
    MPI_Comm ring;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &closed, 0, &ring);
    for (step = 0; step < 4; step++) {
        edges[0] = edges[1] = rank + step;
        MPI_Ineighbor_alltoall(edges, 1, MPI_DOUBLE, ghosts, 1, MPI_DOUBLE, ring, &request);
        sum += ghosts[step % 2]; //~ MUST buffer-race
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&ring);

    printf("%f\n", sum);
    MPI_Finalize();
    return 0;
}
