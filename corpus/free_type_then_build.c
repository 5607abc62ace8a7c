/* What has been built from a type does not need it any more, but what is built from it later does: the matrix comes too late. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 4

int main(int argc, char **argv)
{
    double a[N][N] = {{0}};
    MPI_Datatype row, same, block, matrix;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(N, MPI_DOUBLE, &row);
    same = row;
    MPI_Type_contiguous(2, row, &block);
    MPI_Type_commit(&block);
    MPI_Type_free(&row);
    MPI_Type_contiguous(N, same, &matrix); //~ MUST use-after-free
    MPI_Type_commit(&matrix);
    MPI_Bcast(a, 1, block, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, 1, matrix, 0, MPI_COMM_WORLD);
    MPI_Type_free(&block);
    MPI_Type_free(&matrix);

    MPI_Finalize();
    return 0;
}
