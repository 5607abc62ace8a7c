/* The halo of a mesh in one call: rows and columns go out of one array and into it, each from a place and to a place of its own. Two
 * lists say where; the parts that are sent lie beside those that are received.
 * Right; near-miss of buffer-alias.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 datatype of line 48 (4 double), tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     6 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 datatype of line 48 (4 double), tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     6 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoallw @halo, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *   pattern: shift of MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *   pattern: shift of MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 *   pattern: shift of MPI_Neighbor_alltoallw @halo -> MPI_Neighbor_alltoallw @halo
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 6

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0};
    double u[ROWS + 2][COLUMNS + 2] = {{0}};
    MPI_Comm grid;
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);
    MPI_Type_vector(ROWS, 1, COLUMNS + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++)
            u[i][j] = rank;

    const int counts[4] = {COLUMNS, COLUMNS, 1, 1};
    const MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, column, column};
    const MPI_Aint from[4] = {
        (char *)&u[1][1] - (char *)u,
        (char *)&u[ROWS][1] - (char *)u,
        (char *)&u[1][1] - (char *)u,
        (char *)&u[1][COLUMNS] - (char *)u,
    };
    const MPI_Aint into[4] = {
        (char *)&u[0][1] - (char *)u,
        (char *)&u[ROWS + 1][1] - (char *)u,
        (char *)&u[1][0] - (char *)u,
        (char *)&u[1][COLUMNS + 1] - (char *)u,
    };
    MPI_Neighbor_alltoallw(u, counts, from, types, u, counts, into, types, grid); //@ halo
    printf("%d: %g %g, %g %g\n", rank, u[0][1], u[ROWS + 1][1], u[1][0], u[1][COLUMNS + 1]);

    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
