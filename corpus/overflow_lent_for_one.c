/* The memory that is lent is enough for one message, but a second one is sent before anything is heard of the first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +23: buffer-overflow
 *   channel: MPI_Bsend line +22 -> line +24
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     500 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Bsend line +23 -> line +25
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     500 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Bsend line +22 -> line +24
 *   pattern: ring of MPI_Bsend line +23 -> line +25
 */
#include <mpi.h>
#include <stdlib.h>

#define N 500

int main(int argc, char **argv)
{
    int rank, np, size;
    static double mine[N], theirs[N];
    void *buffer;
    int left, right;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    left = (rank + np - 1) % np;
    right = (rank + 1) % np;

    size = N * sizeof(double) + MPI_BSEND_OVERHEAD;
    buffer = malloc(size);
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(mine, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Bsend(mine, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD); //~ MUST buffer-overflow: the messages that may be there need
    MPI_Recv(theirs, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(theirs, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);

    MPI_Finalize();
    return theirs[0] > 1.0;
}
