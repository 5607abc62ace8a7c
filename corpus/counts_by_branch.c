/* The root broadcasts four numbers, the others expect three.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +13: count-mismatch
 *   collective: MPI_Bcast line +11 line +13, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +11, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, values[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(values, 3, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST count-mismatch
    MPI_Finalize();
    return 0;
}
