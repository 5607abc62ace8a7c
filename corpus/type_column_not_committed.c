/* A column of a matrix is sent with a vector type that was never committed; it arrives as plain doubles. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +18 -> MPI_Irecv line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 25 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +18 -> MPI_Irecv line +17
 */
#include <mpi.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}}, column[N];
    MPI_Datatype type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &type);
    MPI_Irecv(column, N, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&a[0][N - 1], 1, type, (rank + 1) % size, 0, MPI_COMM_WORLD); //~ MUST datatype-uncommitted
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);

    MPI_Finalize();
    return 0;
}
