/* The root broadcasts floats, and the others take them for integers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +12 line +14, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    float x = 1.0f;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Bcast(&x, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST datatype-mismatch
    MPI_Finalize();
    return 0;
}
