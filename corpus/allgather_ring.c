/* An allgather on a ring: in np - 1 steps every block travels once around.
 *
 * Each rank passes on the block that it got in the step before.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     16 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat np - 1
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 16

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int right = (rank + 1) % np;
    int left = (rank - 1 + np) % np;
    double *all = calloc(np * BLOCK, sizeof(double));
    int have = rank;

    for (int step = 1; step < np; step++) {
        int next = (have - 1 + np) % np;

        MPI_Sendrecv(&all[have * BLOCK], BLOCK, MPI_DOUBLE, right, 0, //@ pass //~ NOTE use-collective: MPI_Allgather
                     &all[next * BLOCK], BLOCK, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        have = next;
    }

    free(all);
    MPI_Finalize();
    return 0;
}
