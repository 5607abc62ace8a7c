/* Every rank gives its value to all ranks below it, the farthest first; these take it in the same order. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @give -> @take
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_INT, tag sender - receiver, MPI_COMM_WORLD, repeat 1
 *   pattern: band of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, sum = 0, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int d = np - 1; d >= 1; d--) {
        if (rank >= d)
            MPI_Send(&rank, 1, MPI_INT, rank - d, d, MPI_COMM_WORLD);                                 //@ give
        if (rank < np - d) {
            MPI_Recv(&theirs, 1, MPI_INT, rank + d, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ take
            sum += theirs;
        }
    }

    MPI_Finalize();
    return sum < 0;
}
