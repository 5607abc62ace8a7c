/* Nothing goes down: what each process needs comes from three sides.
 * Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
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
