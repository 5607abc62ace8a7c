/* A helper tells who the leader is, and tells rank 0 something else than the others.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +17, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static int leader(int rank, int size)
{
    if (rank == 0)
        return size - 1;
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, leader(rank, size), MPI_COMM_WORLD); //~ MUST root-mismatch
    MPI_Finalize();
    return 0;
}
