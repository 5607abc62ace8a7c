/* Here the list is a snapshot: the send is nonblocking, and the matrix is changed before it is complete. Sent from where it is, the
 * column would be another one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, np;
    double u[N][N], column[N], got[N];
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = rank + i * j;

    if (rank < np - 1) {
        for (int i = 0; i < N; i++)
            column[i] = u[i][N - 1];
        MPI_Isend(column, N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &request);            //@ give
        for (int i = 0; i < N; i++)
            u[i][N - 1] = 0;
    }
    if (rank > 0) {
        MPI_Recv(got, N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
        printf("rank %d: %g %g\n", rank, got[1], u[1][N - 1]);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
