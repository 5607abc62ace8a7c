/* A recursion of fixed depth: at each level the ranks shift a number by as many places as the level says.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-2] to each of [rank+1..rank+3] within [1..np-1]
 *     receivers [1..np-1] from each of [rank-3..rank-1] within [0..np-2]
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [np-3..np-1] for np >= 3 to each of [0..rank-np+3]
 *     receivers [0..2] for np >= 3 from each of [np+rank-3..np-1]
 *     1 MPI_INT, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..1] for np = 2 to each of [0..rank]
 *     receivers [0..1] for np = 2 from each of [rank..1]
 *     1 MPI_INT, tag sender - receiver + 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 3
 *   pattern: band of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
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
