/* The master gathers at itself, the workers send to the last rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +13, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *all = malloc(size * sizeof(int));
    if (rank == 0)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, size - 1, MPI_COMM_WORLD); //~ MUST root-mismatch
    free(all);
    MPI_Finalize();
    return 0;
}
