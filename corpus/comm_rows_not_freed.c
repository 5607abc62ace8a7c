/* The mesh is freed, the rows cut from it are not. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Cart_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub line +15, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +17, ranks [rank - (rank % dim_1_of_2(np))..rank + dim_1_of_2(np) - (rank % dim_1_of_2(np)) - 1] for each of {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +17, ranks [0..0], part of grid of MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, rank, sum = 0;
    int dims[2] = {0, 0};
    const int periods[2] = {0, 0}, keep[2] = {0, 1};
    MPI_Comm mesh, row;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);
    MPI_Cart_sub(mesh, keep, &row); //~ MUST communicator-leak
    MPI_Comm_rank(row, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Comm_free(&mesh);

    MPI_Finalize();
    return 0;
}
