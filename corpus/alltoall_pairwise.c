/* All to all in np - 1 rounds: in round k every rank sends k ranks up and receives from k ranks down.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: the time limit was reached
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [4..4] to 3
 *     receivers [3..3] from 4
 *     1 MPI_LONG, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..0] to 4
 *     receivers [4..4] from 0
 *     1 MPI_LONG, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..1] to rank + 3
 *     receivers [3..4] from rank - 3
 *     1 MPI_LONG, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..2] to rank + 2
 *     receivers [2..4] from rank - 2
 *     1 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [3..4] to 2
 *     receivers [2..2] from each of [3..4]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [2..4] to 1
 *     receivers [1..1] from each of [2..4]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: gather of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: gather of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: gather of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
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

        MPI_Sendrecv(&out[to], 1, MPI_LONG, to, k, &in[from], 1, MPI_LONG, from, k, //@ swap
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
