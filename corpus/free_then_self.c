/* Where the communicator was freed, the variable names a predefined one from then on.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks each of [0..2*(np / 2)-2] step 2 alone for even np >= 2, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks each of [1..2*(np / 2)-1] step 2 alone for np >= 2, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks each of [0..2*(np / 2)] step 2 alone for odd np >= 1, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    comm = MPI_COMM_SELF;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Finalize();
    return sum < 0;
}
