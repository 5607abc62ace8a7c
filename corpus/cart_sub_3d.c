/* Lines of a grid in three directions as communicators of their own: each line along the last direction adds up its values, and each
 * along the first one passes them on.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-2], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank + dim_1_of_3(np)*dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [1..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank - dim_1_of_3(np)*dim_2_of_3(np)
 *     1 MPI_INT, tag 0, part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @lines, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @columns, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [rank - (rank % dim_2_of_3(np))..rank + dim_2_of_3(np) - (rank % dim_2_of_3(np)) - 1] for each of {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @add, ranks [0..0], part of grid of MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int np, rank, dims[3] = {0, 0, 0}, periods[3] = {0, 0, 0}, sum = 0, got = -1, from, to;
    int last[3] = {0, 0, 1}, first[3] = {1, 0, 0};
    MPI_Comm grid, line, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_sub(grid, last, &line);    //@ lines
    MPI_Cart_sub(grid, first, &column); //@ columns

    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, line); //@ add
    MPI_Cart_shift(column, 0, 1, &from, &to);
    MPI_Sendrecv(&sum, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, column, MPI_STATUS_IGNORE); //@ pass
    printf("rank %d: %d %d\n", rank, sum, got);

    MPI_Comm_free(&column);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
