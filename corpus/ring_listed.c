/* A ring in which all processes list the successor of each: that of the last one is the zero with which the list was allocated.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, rank, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int *successor = calloc(np, sizeof(int));
    for (int i = 0; i < np - 1; i++)
        successor[i] = i + 1;

    MPI_Sendrecv(&rank, 1, MPI_INT, successor[rank], 0,                            //@ pass
                 &theirs, 1, MPI_INT, (rank + np - 1) % np, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    free(successor);
    MPI_Finalize();
    return 0;
}
