/* Doubles are handed out, floats are taken.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Scatter line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    float mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *all = calloc(size, sizeof(double));
    MPI_Scatter(all, 1, MPI_DOUBLE, &mine, 1, MPI_FLOAT, 0, MPI_COMM_WORLD); //~ MUST datatype-mismatch
    free(all);
    MPI_Finalize();
    return 0;
}
