/* A halo in three directions of a grid that is closed in the last one. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + (dim_2_of_3(np) - 1): i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1]} to rank - dim_2_of_3(np) + 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j): i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1]} from rank + dim_2_of_3(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-2], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank + dim_1_of_3(np)*dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [1..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank - dim_1_of_3(np)*dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-2], k in [0..dim_2_of_3(np)-1]} to rank + dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [1..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank - dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-2]} to rank + 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [1..dim_2_of_3(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j): i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1]} to rank + dim_2_of_3(np) - 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + (dim_2_of_3(np) - 1): i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1]} from rank - dim_2_of_3(np) + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [1..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank - dim_1_of_3(np)*dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-2], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank + dim_1_of_3(np)*dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [1..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank - dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-2], k in [0..dim_2_of_3(np)-1]} from rank + dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [1..dim_2_of_3(np)-1]} to rank - 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[3] = {0, 0, 0}, periods[3] = {0, 0, 1};
    double mine[3] = {0}, theirs[6] = {0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);
    for (int d = 0; d < 3; d++) {
        int before, after;
        MPI_Cart_shift(grid, d, 1, &before, &after);
        MPI_Sendrecv(&mine[d], 1, MPI_DOUBLE, after, 0, &theirs[2 * d], 1, MPI_DOUBLE, before, 0, grid, //@ up
                     MPI_STATUS_IGNORE);
        //~^^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallv` is one call for it
        MPI_Sendrecv(&mine[d], 1, MPI_DOUBLE, before, 1, &theirs[2 * d + 1], 1, MPI_DOUBLE, after, 1, grid, //@ down
                     MPI_STATUS_IGNORE);
    }
    printf("rank %d: %g\n", rank, theirs[0]);

    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
