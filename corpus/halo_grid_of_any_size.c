/* A mesh of a size that is given on the command line, in one array that is taken from memory: rows are sent as they lie, columns through
 * lists of their own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Isend @to_up -> MPI_Irecv @from_down
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     argc + 4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_down -> MPI_Irecv @from_up
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     argc + 4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [0..0] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from 0
 *     argc + 3 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to np - 1
 *     receivers [np-1..np-1] from np - dim_1_of_2(np)
 *     argc + 3 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) to rank + dim_1_of_2(np) - 1
 *     receivers [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) from rank - dim_1_of_2(np) + 1
 *     argc + 3 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     argc + 3 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to 0
 *     receivers [0..0] from dim_1_of_2(np) - 1
 *     argc + 3 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [np-1..np-1] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from np - 1
 *     argc + 3 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) to rank - dim_1_of_2(np) + 1
 *     receivers [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) from rank + dim_1_of_2(np) - 1
 *     argc + 3 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     argc + 3 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @grid, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @to_up -> MPI_Irecv @from_down
 *   pattern: shift of MPI_Isend @to_down -> MPI_Irecv @from_up
 *   pattern: shift of MPI_Isend @to_left -> MPI_Irecv @from_right
 *   pattern: shift of MPI_Isend @to_left -> MPI_Irecv @from_right
 *   pattern: shift of MPI_Isend @to_right -> MPI_Irecv @from_left
 *   pattern: shift of MPI_Isend @to_right -> MPI_Irecv @from_left
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 1}, up, down, left, right;
    MPI_Comm grid;
    MPI_Request requests[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int rows = argc + 3, columns = argc + 4, width = columns + 2;
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid); //@ grid
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    double *u = calloc((rows + 2) * width, sizeof(double));
    double *west = calloc(rows, sizeof(double)), *east = calloc(rows, sizeof(double));
    double *from_west = calloc(rows, sizeof(double)), *from_east = calloc(rows, sizeof(double));
    for (int i = 0; i < (rows + 2) * width; i++)
        u[i] = 100 * rank + i;

    for (int i = 0; i < rows; i++) {
        west[i] = u[(i + 1) * width + 1];
        east[i] = u[(i + 1) * width + columns];
    }
    MPI_Irecv(&u[1], columns, MPI_DOUBLE, up, 0, grid, &requests[0]); //@ from_up
    //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallw` is one call for it
    MPI_Irecv(&u[(rows + 1) * width + 1], columns, MPI_DOUBLE, down, 1, grid, &requests[1]); //@ from_down
    MPI_Irecv(from_west, rows, MPI_DOUBLE, left, 2, grid, &requests[2]); //@ from_left
    MPI_Irecv(from_east, rows, MPI_DOUBLE, right, 3, grid, &requests[3]); //@ from_right
    MPI_Isend(&u[width + 1], columns, MPI_DOUBLE, up, 1, grid, &requests[4]); //@ to_up
    MPI_Isend(&u[rows * width + 1], columns, MPI_DOUBLE, down, 0, grid, &requests[5]); //@ to_down
    MPI_Isend(west, rows, MPI_DOUBLE, left, 3, grid, &requests[6]); //@ to_left
    MPI_Isend(east, rows, MPI_DOUBLE, right, 2, grid, &requests[7]); //@ to_right
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);

    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum = 2 * sum + from_west[i] - 3 * from_east[i];
    for (int j = 1; j <= columns; j++)
        sum = 2 * sum + u[j] - 3 * u[(rows + 1) * width + j];
    printf("%d: %.17g\n", rank, sum);

    free(u);
    free(west);
    free(east);
    free(from_west);
    free(from_east);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
