/* A line that was meant to be one, but its sends go around: the last rank sends to rank 0, which receives nothing.
 *
 * A short message gets lost without a sign.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take
    x += rank;
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                        //@ pass //~ MUST unmatched-send

    MPI_Finalize();
    return 0;
}
