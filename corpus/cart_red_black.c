/* Red-black relaxation on a grid: red processes, where row and column add up to an even number, give to the right while black ones take from the left, then the other way round. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Ssend line +20 -> line +23
 *     senders {i*dim_1_of_2(np) + j: 0 <= i < dim_0_of_2(np) and 0 <= j < dim_1_of_2(np) - 1 and (i + j) mod 2 = 0} for dim_1_of_2(np) >= 2 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: 0 <= i < dim_0_of_2(np) and 1 <= j < dim_1_of_2(np) and (i + j) mod 2 = 1} for dim_1_of_2(np) >= 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Ssend line +24 -> line +21
 *     senders {i*dim_1_of_2(np) + j: 0 <= i < dim_0_of_2(np) and 0 <= j < dim_1_of_2(np) - 1 and (i + j) mod 2 = 1} for dim_1_of_2(np) >= 2 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: 0 <= i < dim_0_of_2(np) and 1 <= j < dim_1_of_2(np) and (i + j) mod 2 = 0} for dim_1_of_2(np) >= 2 from rank - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ssend line +20 -> line +23
 *   pattern: shift of MPI_Ssend line +24 -> line +21
 *   fact: line +27 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], left, right;
    double mine, halo = 0;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, at);
    MPI_Cart_shift(grid, 1, 1, &left, &right);

    mine = rank;
    if ((at[0] + at[1]) % 2 == 0) {
        MPI_Ssend(&mine, 1, MPI_DOUBLE, right, 0, grid);
        MPI_Recv(&halo, 1, MPI_DOUBLE, left, 1, grid, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&halo, 1, MPI_DOUBLE, left, 0, grid, MPI_STATUS_IGNORE);
        MPI_Ssend(&mine, 1, MPI_DOUBLE, right, 1, grid);
    }

    printf("%d: %f\n", rank, mine + halo);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
