/* The helper makes a type, finds that there is no neighbour to send to, and returns before the line that frees it. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +13 -> line +28
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 datatype of line 18, called at line 35 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +13 -> line +28
 */
#include <mpi.h>

#define N 6

static void send_column(double a[N][N], int to)
{
    MPI_Datatype column;

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column); //~ MUST datatype-leak
    MPI_Type_commit(&column);
    if (to == MPI_PROC_NULL)
        return;
    MPI_Send(&a[0][N - 1], 1, column, to, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}}, ghost[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    send_column(a, rank < size - 1 ? rank + 1 : MPI_PROC_NULL);
    if (rank > 0)
        MPI_Recv(ghost, N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
