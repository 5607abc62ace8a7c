/* Double buffering: the wait for a slot comes when the slot is needed again, two steps after its send was started.
 *
 * Right; near-miss of request-reuse, request-missing-wait and buffer-race.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +19 -> line +20
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 6
 *   pattern: ring of MPI_Isend line +19 -> line +20
 */
#include <mpi.h>

#define STEPS 6

int main(int argc, char **argv)
{
    int rank, size, in;
    int slot[2];
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int step = 0; step < STEPS; step++) {
        int now = step % 2;
        MPI_Wait(&requests[now], MPI_STATUS_IGNORE);
        slot[now] = rank * step;
        MPI_Isend(&slot[now], 1, MPI_INT, (rank + 1) % size, step, MPI_COMM_WORLD, &requests[now]);
        MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
