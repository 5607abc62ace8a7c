/* A wavefront over a grid of processes, as in transport codes: each waits for the one on the left and the one above, then goes on to the right and below. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @to-right -> @from-left
 *     senders {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} for dim_1_of_2(np) >= 2 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} for dim_1_of_2(np) >= 2 from rank - 1
 *     8 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 3
 *   channel: @below -> @from-above
 *     senders [0..np-dim_1_of_2(np)-1] for dim_0_of_2(np) >= 2 to rank + dim_1_of_2(np)
 *     receivers [dim_1_of_2(np)..np-1] for dim_0_of_2(np) >= 2 from rank - dim_1_of_2(np)
 *     8 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Cart_create line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-right -> @from-left
 *   pattern: shift of @below -> @from-above
 *   fact: line +29 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 8, SWEEPS = 3 };

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, up, down, left, right;
    double rows[CELLS] = {0}, columns[CELLS] = {0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);

    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        MPI_Recv(columns, CELLS, MPI_DOUBLE, left, 1, grid, MPI_STATUS_IGNORE);   //@ from-left
        MPI_Recv(rows, CELLS, MPI_DOUBLE, up, 2, grid, MPI_STATUS_IGNORE);        //@ from-above
        for (int i = 0; i < CELLS; i++)
            rows[i] += columns[i] + rank;
        MPI_Send(columns, CELLS, MPI_DOUBLE, right, 1, grid);                     //@ to-right
        MPI_Send(rows, CELLS, MPI_DOUBLE, down, 2, grid);                         //@ below
    }

    printf("%d: %f\n", rank, rows[0]);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
