/* The datatype has a column of four rows, the matrix has three. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +11: buffer-overflow
 *   collective: MPI_Bcast line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double matrix[3][5] = {{0}};
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Bcast(&matrix[0][1], 1, column, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow: 128 bytes of a buffer that has 112
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
