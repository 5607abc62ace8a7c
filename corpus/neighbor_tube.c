/* The halo of a grid in one call: each process gives a row or column to each of its four neighbours. The grid is closed in its
 * first direction: there each process has two neighbours always, which may be one and the same, or itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @halo: how many bytes MPI_Neighbor_alltoall accesses of its buffer is not known
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to 0
 *     receivers [0..0] from np - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [np-1..np-1] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from np - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..0] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to np - 1
 *     receivers [np-1..np-1] from dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] to j
 *     receivers [1..dim_1_of_2(np)-2] from dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [1..dim_1_of_2(np)-2] to dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] from j
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..dim_0_of_2(np)-2] to rank + 1
 *     receivers [1..dim_0_of_2(np)-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [1..dim_0_of_2(np)-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [2..3] to rank - 2
 *     receivers [0..1] from rank + 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [2..3] to rank - 2
 *     receivers [0..1] from rank + 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..1] to rank + 2
 *     receivers [2..3] from rank - 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..1] to rank + 2
 *     receivers [2..3] from rank - 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoall @halo, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {1, 0};
    double mine[4], theirs[4] = {-1, -1, -1, -1};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);

    for (int side = 0; side < 4; side++)
        mine[side] = 4 * rank + side;
    MPI_Neighbor_alltoall(mine, 1, MPI_DOUBLE, theirs, 1, MPI_DOUBLE, grid); //@ halo
    printf("rank %d: %g %g %g %g\n", rank, theirs[0], theirs[1], theirs[2], theirs[3]);

    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
