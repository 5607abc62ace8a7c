/* A ring of buffered sends: every rank sends before it receives, and the buffer that it attached makes that safe.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Bsend @pass -> @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1000 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Bsend @pass -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define N 1000

int main(int argc, char **argv)
{
    int rank, np, size;
    static double mine[N], theirs[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Pack_size(N, MPI_DOUBLE, MPI_COMM_WORLD, &size);
    size += MPI_BSEND_OVERHEAD;
    char *buffer = malloc(size);

    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(mine, N, MPI_DOUBLE, (rank + 1) % np, 0, MPI_COMM_WORLD);                                //@ pass
    MPI_Recv(theirs, N, MPI_DOUBLE, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);

    MPI_Finalize();
    return 0;
}
