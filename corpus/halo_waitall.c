/* A nonblocking halo exchange in a time loop: four requests in an array and one wait, while the interior is computed.
 *
 * Requests to MPI_PROC_NULL are requests as well.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-left -> MPI_Irecv @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 5
 *   channel: MPI_Isend @to-right -> MPI_Irecv @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 5
 *   pattern: shift of MPI_Isend @to-left -> MPI_Irecv @from-right
 *   pattern: shift of MPI_Isend @to-right -> MPI_Irecv @from-left
 */
#include <mpi.h>

#define N 64
#define STEPS 5

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0}, v[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int t = 0; t < STEPS; t++) {
        MPI_Request requests[4];

        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);      //@ from-left
        MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]); //@ from-right
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);      //@ to-left
        MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);     //@ to-right
        for (int i = 2; i < N; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        v[1] = 0.5 * (u[0] + u[2]);
        v[N] = 0.5 * (u[N - 1] + u[N + 1]);
        for (int i = 1; i <= N; i++)
            u[i] = v[i];
    }

    MPI_Finalize();
    return 0;
}
