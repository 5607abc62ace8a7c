/* In a mesh each process gives its value to the one below, and the last row, which has nobody below, gives it to the first one, which
 * does not expect it; nor is it the first one's turn when there is one row only.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +16 -> line +19
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +16 -> line +19
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, up, down, dims[2] = {0, 0}, periods[2] = {0, 0}, closed[2] = {1, 0};
    double mine = 1, above = 0;
    MPI_Comm open, ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &open);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, closed, 0, &ring);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_shift(ring, 0, 1, &up, &down);
    MPI_Send(&mine, 1, MPI_DOUBLE, down, 0, ring);                                                 //~ MUST unmatched-send
    MPI_Cart_shift(open, 0, 1, &up, &down);
    if (up != MPI_PROC_NULL)
        MPI_Recv(&above, 1, MPI_DOUBLE, up, 0, ring, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&open);
    MPI_Finalize();
    return 0;
}
