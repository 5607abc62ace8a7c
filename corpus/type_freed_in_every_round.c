/* A triangle is sent row by row; the type of a row is made, committed, used and freed in its round.
 *
 * Right; near-miss of datatype-leak, use-after-free and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 5
 */
#include <mpi.h>

#define N 5

int main(int argc, char **argv)
{
    double triangle[N][N] = {{0}};
    MPI_Datatype row;

    MPI_Init(&argc, &argv);

    for (int i = 0; i < N; i++) {
        MPI_Type_contiguous(N - i, MPI_DOUBLE, &row);
        MPI_Type_commit(&row);
        MPI_Bcast(&triangle[i][i], 1, row, 0, MPI_COMM_WORLD);
        MPI_Type_free(&row);
    }

    MPI_Finalize();
    return 0;
}
