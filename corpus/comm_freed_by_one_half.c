/* The communicator of each half is used by all its members, but only those of the lower half free theirs. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..(np / 2)-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int lower = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, lower, rank, &half); //~ MUST communicator-leak
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    if (lower)
        MPI_Comm_free(&half);

    MPI_Finalize();
    return 0;
}
