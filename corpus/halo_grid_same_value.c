/* Each process of a mesh that is open on all sides tells its neighbours one number, with nonblocking messages in a loop over the four
 * sides. Beyond an open side there is nobody: that number stays as it was.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Isend @tell -> MPI_Irecv @hear
 *     senders [dim_1_of_2(np)..np-1] for dim_0_of_2(np) >= 2 to rank - dim_1_of_2(np)
 *     receivers [0..np-dim_1_of_2(np)-1] for dim_0_of_2(np) >= 2 from rank + dim_1_of_2(np)
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @tell -> MPI_Irecv @hear
 *     senders [0..np-dim_1_of_2(np)-1] for dim_0_of_2(np) >= 2 to rank + dim_1_of_2(np)
 *     receivers [dim_1_of_2(np)..np-1] for dim_0_of_2(np) >= 2 from rank - dim_1_of_2(np)
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @tell -> MPI_Irecv @hear
 *     senders {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} for dim_1_of_2(np) >= 2 to rank - 1
 *     receivers {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} for dim_1_of_2(np) >= 2 from rank + 1
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @tell -> MPI_Irecv @hear
 *     senders {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} for dim_1_of_2(np) >= 2 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} for dim_1_of_2(np) >= 2 from rank - 1
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @grid, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @tell -> MPI_Irecv @hear
 *   pattern: shift of MPI_Isend @tell -> MPI_Irecv @hear
 *   pattern: shift of MPI_Isend @tell -> MPI_Irecv @hear
 *   pattern: shift of MPI_Isend @tell -> MPI_Irecv @hear
 *   fact: line +26 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

enum { UP, DOWN, LEFT, RIGHT };

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, neighbours[4], theirs[4] = {-1, -1, -1, -1};
    MPI_Comm grid;
    MPI_Request requests[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ grid
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);

    for (int i = 0; i < 4; i++) {
        MPI_Isend(&rank, 1, MPI_INT, neighbours[i], 1, grid, &requests[i]); //@ tell
        //~^ NOTE use-neighbor-collective: `MPI_Neighbor_allgather` is one call for it
        MPI_Irecv(&theirs[i], 1, MPI_INT, neighbours[i], 1, grid, &requests[i + 4]); //@ hear
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    printf("%d: %d %d, %d %d\n", rank, theirs[UP], theirs[DOWN], theirs[LEFT], theirs[RIGHT]);

    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
