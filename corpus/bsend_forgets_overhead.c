/* The room is what MPI says that the message needs, without the overhead of a buffered send. */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   lengths: not proved, line +19: buffer-overflow
 *   channel: MPI_Bsend line +19 -> line +20
 *     senders [0..1] to 1 - rank
 *     receivers [0..1] from 1 - rank
 *     64 MPI_DOUBLE, tag 4, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Bsend line +19 -> line +20
 */
#include <mpi.h>
#include <stdlib.h>

#define N 64

int main(int argc, char **argv)
{
    int rank, size, room;
    double mine[N] = {0}, theirs[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Pack_size(N, MPI_DOUBLE, MPI_COMM_WORLD, &room);
    void *buffer = malloc(room);
    MPI_Buffer_attach(buffer, room);
    MPI_Bsend(mine, N, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD); //~ MUST buffer-overflow
    MPI_Recv(theirs, N, MPI_DOUBLE, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &room);
    free(buffer);

    MPI_Finalize();
    return 0;
}
