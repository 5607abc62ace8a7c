/* Even ranks add, odd ranks look for the largest, on communicators of their own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +15, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +15, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, result;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    if (rank % 2 == 0)
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_SUM, part);
    else
        MPI_Allreduce(&rank, &result, 1, MPI_INT, MPI_MAX, part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
