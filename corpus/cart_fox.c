/* Fox's matrix multiplication on a square of processes: in each step a diagonal of blocks is told to its rows, and the other matrix
 * rolls upwards.
 */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: bounded to 4
 *   because: @tell: the ranks name different roots of `MPI_Bcast`
 *   because: every path ends the program early (np = 2)
 *   because: every path ends the program early (np = 3)
 *   because: every path ends the program early (np = 5)
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [2..2] to 0
 *     receivers [0..0] from 2
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [3..3] to 1
 *     receivers [1..1] from 3
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv_replace @roll -> MPI_Sendrecv_replace @roll
 *     senders [1..1] to 3
 *     receivers [3..3] from 1
 *     1 MPI_DOUBLE, tag 0, part of grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @rows, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @columns, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @tell, root unknown, ranks [0..1], part of grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @tell, root unknown, ranks [2..3], part of grid of MPI_COMM_WORLD, repeat 2
 *   fact: line +32 printf on [0..0]: rank = 0
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
