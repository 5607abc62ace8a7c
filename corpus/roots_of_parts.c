/* Even and odd ranks have communicators of their own, with the first and the second as root.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +16, root (np / 2) - 1, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +16, root 0, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, members, seed = 7;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_size(part, &members);
    if (rank % 2 == 0)
        MPI_Bcast(&seed, 1, MPI_INT, 0, part);
    else
        MPI_Bcast(&seed, 1, MPI_INT, members - 1, part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
