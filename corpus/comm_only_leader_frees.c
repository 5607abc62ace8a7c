/* The workers have a communicator of their own; the test that should ask whether one is a worker asks whether one leads them. */
/* expect:
 *   np: >= 3
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [1..np-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm workers;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 1 : MPI_UNDEFINED, rank, &workers); //~ MUST communicator-leak
    if (workers != MPI_COMM_NULL)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, workers);
    if (rank == 1)
        MPI_Comm_free(&workers);

    MPI_Finalize();
    return 0;
}
