/* A block of processes that is open on all sides: in each direction the values go one way, then the other. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-2], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank + dim_1_of_3(np)*dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [1..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank - dim_1_of_3(np)*dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-2], k in [0..dim_2_of_3(np)-1]} to rank + dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [1..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank - dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-2]} to rank + 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [1..dim_2_of_3(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [1..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank - dim_1_of_3(np)*dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-2], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} from rank + dim_1_of_3(np)*dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [1..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-1]} to rank - dim_2_of_3(np)
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-2], k in [0..dim_2_of_3(np)-1]} from rank + dim_2_of_3(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [1..dim_2_of_3(np)-1]} to rank - 1
 *     receivers {dim_2_of_3(np)*(dim_1_of_3(np)*i + j) + k: i in [0..dim_0_of_3(np)-1], j in [0..dim_1_of_3(np)-1], k in [0..dim_2_of_3(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @block, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int np, dims[3] = {0, 0, 0}, periods[3] = {0, 0, 0};
    double mine = 1, low = 0, high = 0;
    MPI_Comm block;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &block);                                       //@ block

    for (int d = 0; d < 3; d++) {
        int before, behind;
        MPI_Cart_shift(block, d, 1, &before, &behind);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, behind, d, &low, 1, MPI_DOUBLE, before, d, block, MPI_STATUS_IGNORE);            //@ on
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, before, d, &high, 1, MPI_DOUBLE, behind, d, block, MPI_STATUS_IGNORE);           //@ back
    }

    printf("%f %f\n", low, high);
    MPI_Comm_free(&block);
    MPI_Finalize();
    return 0;
}
