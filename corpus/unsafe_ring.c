/* A ring of blocking sends: every rank sends before it receives, in a time loop.
 *
 * It ends only where the implementation buffers the messages; that is why it seems to work with short ones.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 10
 *   pattern: ring of @pass -> @take
 */
#include <mpi.h>

#define N 4
#define STEPS 10

int main(int argc, char **argv)
{
    int rank, np;
    double mine[N] = {0}, theirs[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int step = 0; step < STEPS; step++) {
        MPI_Send(mine, N, MPI_DOUBLE, (rank + 1) % np, 0, MPI_COMM_WORLD); //@ pass //~ MAY unsafe-send
        MPI_Recv(theirs, N, MPI_DOUBLE, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < N; i++)
            mine[i] = 0.5 * (mine[i] + theirs[i]);
    }

    MPI_Finalize();
    return 0;
}
