/* The vector is committed and then resized; the scatter uses the resized type, which is another one and not committed. */
/* expect:
 *   np: 1, 2, 3, 4
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +15: the buffer of MPI_Scatter is too short for more than 4 processes
 *   collective: MPI_Scatter line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 4

int main(int argc, char **argv)
{
    double a[N][N] = {{0}}, mine[N];
    MPI_Datatype vector, column;

    MPI_Init(&argc, &argv);

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_create_resized(vector, 0, sizeof(double), &column);
    MPI_Scatter(a, 1, column, mine, N, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST datatype-uncommitted
    MPI_Type_free(&column);
    MPI_Type_free(&vector);

    MPI_Finalize();
    return 0;
}
