/* Ranks without a right neighbour free the type early, the others after they have used it: each frees it once.
 *
 * Right; near-miss of use-after-free, double-free and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +22 -> line +20
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 datatype of line 27 (5 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +22 -> line +20
 */
#include <mpi.h>

#define N 5

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}}, ghost[N];
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == size - 1)
        MPI_Type_free(&column);
    if (rank > 0)
        MPI_Recv(ghost, N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < size - 1) {
        MPI_Send(&a[0][N - 1], 1, column, rank + 1, 0, MPI_COMM_WORLD);
        MPI_Type_free(&column);
    }

    MPI_Finalize();
    return 0;
}
