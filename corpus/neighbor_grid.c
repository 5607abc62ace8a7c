/* The halo of a grid in one call: each process gives a row or column to each of its four neighbours, ten times.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @halo: how many bytes MPI_Neighbor_alltoall accesses of its buffer is not known
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 10
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 10
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 10
 *   channel: MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 10
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoall @halo, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 10
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 *   pattern: shift of MPI_Neighbor_alltoall @halo -> MPI_Neighbor_alltoall @halo
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0};
    double mine[4], theirs[4] = {-1, -1, -1, -1};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);

    for (int side = 0; side < 4; side++)
        mine[side] = 4 * rank + side;
    for (int step = 0; step < 10; step++)
        MPI_Neighbor_alltoall(mine, 1, MPI_DOUBLE, theirs, 1, MPI_DOUBLE, grid); //@ halo
    printf("rank %d: %g %g %g %g\n", rank, theirs[0], theirs[1], theirs[2], theirs[3]);

    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
