/* Directions of a grid are counted from 0: the second one of two is no direction 2.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +12: `MPI_Cart_create` leaves the ranks in their order
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, d, extents[2] = {0, 0}, closed[2] = {0, 0}, before[3] = {0}, after[3] = {0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, closed, 1, &grid);
    for (d = 1; d <= 2; d++)
        MPI_Cart_shift(grid, d, 1, &before[d], &after[d]); //~ MUST invalid-count
    MPI_Comm_free(&grid);

    printf("%d %d\n", before[1], after[1]);
    MPI_Finalize();
    return 0;
}
