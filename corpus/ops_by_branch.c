/* Rank 0 asks for the sum, the others for the largest.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +11 line +13, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, result;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); //~ MUST op-mismatch
    MPI_Finalize();
    return 0;
}
