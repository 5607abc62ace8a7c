/* Planes of a grid in three directions as communicators of their own: each plane across the first direction adds up its values, and each line
 * along that passes them on. How ranks in a plane lie among all ranks is not followed for any number of processes.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @planes: a colour that varies between the processes of one set is not followed yet
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_INT, tag 0, part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @planes, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @columns, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [0..0], part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [1..1], part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2..2], part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [3..3], part of grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [4..4], part of grid of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   fact: line +21 printf on [0..0]: rank = 0, sum = 0, got = -1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int np, rank, dims[3] = {0, 0, 0}, periods[3] = {0, 0, 0}, sum = 0, got = -1, from, to;
    int plane[3] = {0, 1, 1}, first[3] = {1, 0, 0};
    MPI_Comm grid, flat, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid); //@ make
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_sub(grid, plane, &flat); //@ planes
    MPI_Cart_sub(grid, first, &column); //@ columns

    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, flat); //@ add
    MPI_Cart_shift(column, 0, 1, &from, &to);
    MPI_Sendrecv(&sum, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, column, MPI_STATUS_IGNORE); //@ pass
    printf("rank %d: %d %d\n", rank, sum, got);

    MPI_Comm_free(&column);
    MPI_Comm_free(&flat);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
