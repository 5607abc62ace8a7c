/* What the others name as the amount to receive does not matter: only the root receives.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    double mine = 0.5;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *all = malloc(size * sizeof(double));
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, rank == 0 ? 1 : 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(all);
    MPI_Finalize();
    return 0;
}
