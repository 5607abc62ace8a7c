/* The operation at one call depends on the rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    double value = 1.0, result = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Reduce(&value, &result, 1, MPI_DOUBLE, rank == size - 1 ? MPI_MIN : MPI_MAX, 0, MPI_COMM_WORLD); //~ MUST op-mismatch
    MPI_Finalize();
    return 0;
}
