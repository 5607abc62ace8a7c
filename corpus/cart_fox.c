/* Fox's matrix multiplication on a square of processes: in each step a diagonal of blocks is told to its rows, and the other matrix
 * rolls upwards.
 */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @tell: whether all ranks name the same amount in `MPI_Bcast` is not known
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [0..3] to 4*3 + j
 *     receivers [12..15] from j
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders {4*i + j: i in [1..3], j in [0..3]} to rank - 4
 *     receivers {4*i + j: i in [0..2], j in [0..3]} from rank + 4
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [0..dim_0_of_2(np)-1] to dim_0_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     receivers [dim_0_of_2(np)*dim_0_of_2(np)-dim_0_of_2(np)..dim_0_of_2(np)*dim_0_of_2(np)-1] from j
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders {dim_0_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} to rank - dim_0_of_2(np)
 *     receivers {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_0_of_2(np)-1]} from rank + dim_0_of_2(np)
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @rows, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @columns, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @tell, root unknown, ranks [rank - (rank % dim_0_of_2(np))..rank - (rank % dim_0_of_2(np)) + 3] for each of {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @tell, root unknown, ranks [rank - (rank % dim_0_of_2(np))..rank + dim_0_of_2(np) - (rank % dim_0_of_2(np)) - 1] for each of {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @tell, root 0, ranks [0..0] for np = 1, part of grid of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *   pattern: shift of MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *   pattern: shift of MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *   pattern: shift of MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int np, rank, up, down, dims[2] = {0, 0}, periods[2] = {1, 1}, coords[2];
    int along[2] = {0, 1}, across[2] = {1, 0};
    double a, told, b, c = 0;
    MPI_Comm grid, row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    if (dims[0] != dims[1])
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);
    MPI_Cart_sub(grid, along, &row);     //@ rows
    MPI_Cart_sub(grid, across, &column); //@ columns
    MPI_Cart_shift(column, 0, -1, &down, &up);

    a = coords[0] + 1;
    b = coords[1] + 1;
    for (int step = 0; step < dims[0]; step++) {
        int root = (coords[0] + step) % dims[0];
        told = a;
        MPI_Bcast(&told, 1, MPI_DOUBLE, root, row); //@ tell
        c += told * b;
        MPI_Sendrecv_replace(&b, 1, MPI_DOUBLE, up, 0, down, 0, column, MPI_STATUS_IGNORE); //@ roll
    }
    printf("rank %d: %g\n", rank, c);

    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
