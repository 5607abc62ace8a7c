/* A recursion of fixed depth: at each level the ranks shift a number by as many places as the level says.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @pass: a possible unmatched-recv does not show at any small np
 *   because: @pass: a possible unmatched-send does not show at any small np
 *   because: @pass: a possible deadlock does not show at any small np
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [3..3] to 4
 *     receivers [4..4] from 3
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2..2] to each of [3..4]
 *     receivers [3..4] from 2
 *     1 MPI_INT, tag receiver - 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..1] to each of [rank+1..rank+3]
 *     receivers [1..4] from each of [rank-3..rank-1] within [0..1]
 *     1 MPI_INT, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2..4] to each of [0..rank-2]
 *     receivers [0..2] from each of [rank+2..4]
 *     1 MPI_INT, tag receiver - sender + 5, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: band of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: band of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>

#define DEPTH 3

static int rank, np;

static void shift(int *x, int level)
{
    int got;

    if (level == 0)
        return;
    MPI_Sendrecv(x, 1, MPI_INT, (rank + level) % np, level, &got, 1, MPI_INT, (rank + np * DEPTH - level) % np, level, //@ pass
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *x += got;
    shift(x, level - 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int x = rank;
    shift(&x, DEPTH);

    MPI_Finalize();
    return 0;
}
