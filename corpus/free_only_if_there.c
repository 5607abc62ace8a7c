/* The helper frees a communicator only if there is one; it is called twice, and the second call finds MPI_COMM_NULL.
 *
 * Right; near-miss of double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +19, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +7, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +7, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +7, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +7, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +7, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void release(MPI_Comm *comm)
{
    if (*comm == MPI_COMM_NULL)
        return;
    MPI_Barrier(*comm);
    MPI_Comm_free(comm);
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
    if (rank % 2 == 0)
        release(&half);
    release(&half);

    MPI_Finalize();
    return 0;
}
