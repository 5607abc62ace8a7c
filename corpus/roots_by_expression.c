/* One call, but each rank takes its own parity for the root.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +10, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, seed = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&seed, 1, MPI_INT, rank % 2, MPI_COMM_WORLD); //~ MUST root-mismatch
    MPI_Finalize();
    return 0;
}
