/* First the sum, then the largest: all ranks in the same order.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, results[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op ops[2] = {MPI_SUM, MPI_MAX};

    for (int i = 0; i < 2; i++)
        MPI_Allreduce(&rank, &results[i], 1, MPI_INT, ops[i], MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
