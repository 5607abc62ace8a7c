/* MPI_Waitany is asked exactly as many times as there are requests: all are completed, whatever their order.
 *
 * Right; near-miss of request-missing-wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +17 -> MPI_Irecv line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 4
 *   pattern: ring of MPI_Isend line +17 -> MPI_Irecv line +16
 */
#include <mpi.h>
#include <stdio.h>

#define PARTS 4

int main(int argc, char **argv)
{
    int rank, size, out[PARTS] = {2, 3, 5, 7}, in[PARTS] = {0}, product = 1;
    MPI_Request receives[PARTS], sends[PARTS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < PARTS; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &receives[i]);
        MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &sends[i]);
    }
    for (int i = 0; i < PARTS; i++) {
        int which;
        MPI_Waitany(PARTS, receives, &which, MPI_STATUS_IGNORE);
        product *= in[which];
    }
    MPI_Waitall(PARTS, sends, MPI_STATUSES_IGNORE);
    printf("%d: %d\n", rank, product);

    MPI_Finalize();
    return 0;
}
