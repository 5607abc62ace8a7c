/* Every rank gives its value to all ranks above it, nearest first; these take it, nearest first. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @give -> @take
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: band of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int d = 1; d < np; d++) {
        if (rank + d < np)
            MPI_Send(&rank, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD);                       //@ give //~ NOTE use-collective: MPI_Exscan
        if (rank - d >= 0) {
            int theirs;

            MPI_Recv(&theirs, 1, MPI_INT, rank - d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ take
            sum += theirs;
        }
    }

    MPI_Finalize();
    return sum < 0;
}
