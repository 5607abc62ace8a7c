/* With an odd number of processes the last one stays apart, else all use MPI_COMM_WORLD; only what was made is freed.
 *
 * Right; near-miss of communicator-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +13, ranks [0..np-1] for odd np >= 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..np-2] for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [np-1..np-1] for odd np >= 1, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..np-1] for even np >= 2, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Comm comm = MPI_COMM_WORLD;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size % 2 == 1)
        MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, rank, &comm);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (size % 2 == 1)
        MPI_Comm_free(&comm);

    MPI_Finalize();
    return 0;
}
