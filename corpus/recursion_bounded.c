/* A recursion of fixed depth: at each level the ranks shift a number by as many places as the level says.
 */
/* expect:
 *   verdict: bounded to 2
 *   because: @pass: the partner of `MPI_Sendrecv` is not known
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..1] to each of [0..1]
 *     receivers [0..1] from 1
 *     1 MPI_INT, tag receiver + 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..1] to 0
 *     receivers [0..0] from each of [0..1]
 *     1 MPI_INT, tag sender + 2, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: gather of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
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
