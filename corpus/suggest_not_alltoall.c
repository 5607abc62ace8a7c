/* Three exchanges of each with each that are no alltoall: blocks in the order of their distance, one block for all but the next process,
 * and sums of blocks.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_INT, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_INT, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_INT, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_INT, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +31 -> MPI_Sendrecv line +31
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_INT, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +31 -> MPI_Sendrecv line +31
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_INT, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   pattern: band of MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *   pattern: band of MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *   pattern: band of MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 *   pattern: band of MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 *   pattern: band of MPI_Sendrecv line +31 -> MPI_Sendrecv line +31
 *   pattern: band of MPI_Sendrecv line +31 -> MPI_Sendrecv line +31
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *out = calloc(np, sizeof(int)), *in = calloc(np, sizeof(int)), *mixed = calloc(np, sizeof(int));
    int sum = 0, part;

    out[rank] = rank;
    in[0] = out[rank];
    for (int k = 1; k < np; k++)
        MPI_Sendrecv(&out[(rank + k) % np], 1, MPI_INT, (rank + k) % np, k, &in[k], 1, MPI_INT, (rank - k + np) % np, k,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mixed[rank] = out[rank];
    for (int k = 1; k < np; k++) {
        int to = (rank + k) % np, from = (rank - k + np) % np;
        int *block = k == 1 ? &out[rank] : &out[to];

        MPI_Sendrecv(block, 1, MPI_INT, to, k, &mixed[from], 1, MPI_INT, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int k = 1; k < np; k++) {
        int to = (rank + k) % np, from = (rank - k + np) % np;

        MPI_Sendrecv(&out[to], 1, MPI_INT, to, k, &part, 1, MPI_INT, from, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
    }
    for (int i = 0; i < np; i++)
        printf("%d: %d %d %d\n", rank, in[i], mixed[i], sum);

    free(out);
    free(in);
    free(mixed);
    MPI_Finalize();
    return 0;
}
