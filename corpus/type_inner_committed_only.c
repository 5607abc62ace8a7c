/* The row type is committed, the block type built from it is not: a commit does not pass on to what is built from a type. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 4

int main(int argc, char **argv)
{
    double a[2 * N][N] = {{0}};
    MPI_Datatype row, block;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(N, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    MPI_Type_vector(N, 1, 2, row, &block);
    MPI_Bcast(a, 1, block, 0, MPI_COMM_WORLD); //~ MUST datatype-uncommitted
    MPI_Type_free(&block);
    MPI_Type_free(&row);

    MPI_Finalize();
    return 0;
}
