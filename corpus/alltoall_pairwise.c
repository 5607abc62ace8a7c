/* All to all in np - 1 rounds: in round k every rank sends k ranks up and receives from k ranks down.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_LONG, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_LONG, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   pattern: band of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: band of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    long *out = calloc(np, sizeof(long));
    long *in = calloc(np, sizeof(long));

    in[rank] = out[rank];
    for (int k = 1; k < np; k++) {
        int to = (rank + k) % np;
        int from = (rank - k + np) % np;

        MPI_Sendrecv(&out[to], 1, MPI_LONG, to, k, &in[from], 1, MPI_LONG, from, k, //@ swap //~ NOTE use-collective: MPI_Alltoall
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
