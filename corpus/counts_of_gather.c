/* Each rank sends two numbers, and the root expects one of each.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +13: count-mismatch
 *   collective: MPI_Gather line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    double pair[2] = {0.0, 1.0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *all = malloc(2 * size * sizeof(double));
    MPI_Gather(pair, 2, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST count-mismatch
    free(all);
    MPI_Finalize();
    return 0;
}
