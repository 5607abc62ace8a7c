/* A broadcast by recursive halving: the first rank of a range gives the value to the middle one, then each half goes on alone.
 *
 * How deep it goes depends on the number of processes.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +14: a comparison of ranks has no simple form
 *   because: the channels shown are those of np = 5
 *   channel: @give -> @take
 *     senders [2..3] to rank + 1
 *     receivers [3..4] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..2]
 *     receivers [1..2] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

static int rank;

/* Spreads the value of rank `lo` to the ranks below `hi`. */
static void spread(int *value, int lo, int hi)
{
    if (hi - lo < 2)
        return;

    int middle = lo + (hi - lo) / 2;
    if (rank == lo)
        MPI_Send(value, 1, MPI_INT, middle, 0, MPI_COMM_WORLD);                           //@ give
    else if (rank == middle)
        MPI_Recv(value, 1, MPI_INT, lo, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ take
    if (rank < middle)
        spread(value, lo, middle);
    else
        spread(value, middle, hi);
}

int main(int argc, char **argv)
{
    int np, value = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    spread(&value, 0, np);
    MPI_Finalize();
    return 0;
}
