/* Even ranks should send and odd ranks receive, but `!rank % 2` is `(!rank) % 2`: only rank 0 sends, all others receive.
 *
 * With two processes that is the same. From three on, rank 2 waits for rank 1, which has nothing to send.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, number = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (!rank % 2) {
        if (rank + 1 < np)
            MPI_Send(&number, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                      //@ give
    } else {
        MPI_Recv(&number, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
        //~^ MUST unmatched-recv
    }

    MPI_Finalize();
    return 0;
}
