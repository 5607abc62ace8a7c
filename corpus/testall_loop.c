/* Like a halo exchange with MPI_Waitall, but the interior is computed piece by piece until all requests are complete.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-left -> MPI_Irecv @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to-right -> MPI_Irecv @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @to-left -> MPI_Irecv @from-right
 *   pattern: shift of MPI_Isend @to-right -> MPI_Irecv @from-left
 */
#include <mpi.h>

#define N 100

int main(int argc, char **argv)
{
    int rank, np, complete = 0, next = 1;
    double u[N + 2] = {0}, v[N + 2];
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == np - 1 ? MPI_PROC_NULL : rank + 1;

    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);         //@ from-left
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);    //@ from-right
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);         //@ to-left
    MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);        //@ to-right

    while (!complete) {
        if (next < N - 1) {
            next++;
            v[next] = 0.5 * (u[next - 1] + u[next + 1]);
        }
        MPI_Testall(4, requests, &complete, MPI_STATUSES_IGNORE);
    }
    v[1] = 0.5 * (u[0] + u[2]);

    MPI_Finalize();
    return v[1] < 0;
}
