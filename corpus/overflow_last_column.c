/* The last column ends with the matrix, although the extent of its datatype reaches beyond.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double matrix[3][5] = {{0}};
    MPI_Datatype column, one;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(3, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_create_resized(column, 0, sizeof(double), &one);
    MPI_Type_commit(&one);
    MPI_Type_free(&column);
    MPI_Bcast(&matrix[0][4], 1, one, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix, 5, one, 0, MPI_COMM_WORLD);
    MPI_Type_free(&one);
    MPI_Finalize();
    return 0;
}
