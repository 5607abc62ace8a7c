/* A ring against the clock: every rank sends to its left neighbour and receives from its right one in one call.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     3 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine[3], theirs[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < 3; i++)
        mine[i] = rank + 0.1 * i;
    MPI_Sendrecv(mine, 3, MPI_DOUBLE, (rank + np - 1) % np, 2, theirs, 3, MPI_DOUBLE, (rank + 1) % np, 2, //@ pass
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d has %g\n", rank, theirs[0]);

    MPI_Finalize();
    return 0;
}
