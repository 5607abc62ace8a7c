/* Corners in two phases: what the columns send has what the rows have brought, so the columns have to wait for the rows.
 * Right; near-miss of use-neighbor-collective.
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 6

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {1, 1}, up, down, left, right;
    double u[ROWS + 2][COLUMNS + 2];
    MPI_Comm grid;
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Type_vector(ROWS + 2, 1, COLUMNS + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < ROWS + 2; i++)
        for (int j = 0; j < COLUMNS + 2; j++)
            u[i][j] = 100 * rank + 10 * i + j;

    MPI_Sendrecv(&u[1][1], COLUMNS, MPI_DOUBLE, up, 0, &u[ROWS + 1][1], COLUMNS, MPI_DOUBLE, down, 0, grid, MPI_STATUS_IGNORE); //@ up
    MPI_Sendrecv(&u[ROWS][1], COLUMNS, MPI_DOUBLE, down, 1, &u[0][1], COLUMNS, MPI_DOUBLE, up, 1, grid, MPI_STATUS_IGNORE); //@ down
    MPI_Sendrecv(&u[0][1], 1, column, left, 2, &u[0][COLUMNS + 1], 1, column, right, 2, grid, MPI_STATUS_IGNORE); //@ left
    MPI_Sendrecv(&u[0][COLUMNS], 1, column, right, 3, &u[0][0], 1, column, left, 3, grid, MPI_STATUS_IGNORE); //@ right
    printf("%d: %g %g %g %g\n", rank, u[0][0], u[0][COLUMNS + 1], u[ROWS + 1][0], u[ROWS + 1][COLUMNS + 1]);

    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
