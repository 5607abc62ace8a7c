/* Nothing goes down: what each process needs comes from three sides.
 * Right; near-miss of use-neighbor-collective.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, up, down, left, right, from[3] = {-1, -1, -1};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);

    MPI_Sendrecv(&rank, 1, MPI_INT, up, 0, &from[0], 1, MPI_INT, down, 0, grid, MPI_STATUS_IGNORE); //@ up
    MPI_Sendrecv(&rank, 1, MPI_INT, left, 0, &from[1], 1, MPI_INT, right, 0, grid, MPI_STATUS_IGNORE); //@ left
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from[2], 1, MPI_INT, left, 0, grid, MPI_STATUS_IGNORE); //@ right
    printf("%d: %d %d %d\n", rank, from[0], from[1], from[2]);

    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
