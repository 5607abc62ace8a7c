/* A table of partners is cleared with memset, copied with memcpy and grown with realloc.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    struct { int up, down, tag; } here, there;

    memset(&here, 0, sizeof here);
    here.up = (rank + 1) % np;
    here.down = (rank + np - 1) % np;
    memcpy(&there, &here, sizeof there);
    here.up = here.down = 0;
    int *ranks = malloc(sizeof *ranks);
    if (ranks == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    ranks[0] = there.up;
    int *more = realloc(ranks, 2 * sizeof *more);
    if (more == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    more[1] = there.down;
    MPI_Sendrecv_replace(&x, 1, MPI_INT, more[0], there.tag, more[1], there.tag, MPI_COMM_WORLD,    //@ pass
                         MPI_STATUS_IGNORE);
    free(more);

    MPI_Finalize();
    return 0;
}
