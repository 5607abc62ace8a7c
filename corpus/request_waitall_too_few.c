/* Four requests are started for a periodic halo, and MPI_Waitall is told of three: the last send is never completed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +20 -> MPI_Irecv line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +21 -> MPI_Irecv line +19
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +20 -> MPI_Irecv line +18
 *   pattern: ring of MPI_Isend line +21 -> MPI_Irecv line +19
 */
#include <mpi.h>

#define N 16

int main(int argc, char **argv)
{
    int rank, size;
    double u[N + 2] = {0};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]); //~ MUST request-missing-wait
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
