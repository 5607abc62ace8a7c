/* A halo exchange whose missing neighbours are -1: only those that are there are talked to, and their requests counted.
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

#define N 24

int main(int argc, char **argv)
{
    int rank, np, n = 0;
    double u[N + 2] = {0};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank - 1;
    int right = rank + 1 < np ? rank + 1 : -1;

    if (left >= 0) {
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[n++]);      //@ from-left
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[n++]);      //@ to-left
    }
    if (right >= 0) {
        MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[n++]); //@ from-right
        MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[n++]);     //@ to-right
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
