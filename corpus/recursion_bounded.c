/* A recursion of fixed depth: at each level the ranks shift a number by as many places as the level says.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @pass: the partner of `MPI_Sendrecv` is not known
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..1] to rank + 3
 *     receivers [3..4] from rank - 3
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2..4] to rank - 2
 *     receivers [0..2] from rank + 2
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..2] to 5*0 + (j + 2)
 *     receivers [2..4] from 5*0 + (j - 2)
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [3..4] to 5*0 + (j - 3)
 *     receivers [0..1] from 5*0 + (j + 3)
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
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
