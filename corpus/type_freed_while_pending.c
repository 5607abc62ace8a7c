/* The column type is freed while the send and the receive that use it are still on their way: they end as if it were not.
 *
 * Right; near-miss of use-after-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +19 -> MPI_Irecv line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 28 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +19 -> MPI_Irecv line +18
 */
#include <mpi.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}};
    MPI_Datatype column;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(&a[0][0], 1, column, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&a[0][N - 1], 1, column, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&column);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
