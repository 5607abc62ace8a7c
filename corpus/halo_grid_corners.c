/* Corners in two phases: what the columns send has what the rows have brought, so the columns have to wait for the rows.
 * Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     6 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     6 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 datatype of line 48 (6 double), tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 datatype of line 48 (6 double), tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 6

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, up, down, left, right;
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
