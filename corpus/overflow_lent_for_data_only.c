/* The memory that is lent has room for the data, and none for what the library needs besides (MPI_BSEND_OVERHEAD).
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +20: buffer-overflow
 *   channel: MPI_Bsend line +20 -> line +22
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     500 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

#define N 500

int main(int argc, char **argv)
{
    int rank, np, size;
    static double mine[N], theirs[N];
    void *buffer;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    size = sizeof mine;
    buffer = malloc(size);
    MPI_Buffer_attach(buffer, size);
    if (rank == np - 1)
        MPI_Bsend(mine, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow: bytes of 4000
    if (rank == 0)
        MPI_Recv(theirs, N, MPI_DOUBLE, np - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);

    MPI_Finalize();
    return theirs[0] > 1.0;
}
