/* Rank 0 takes a message from whoever comes first, and then one from rank 1: if rank 1 was first, it waits for ever.
 */
/* expect:
 *   np: >= 3
 *   verdict: bounded to 2..5
 *   because: @second: the partner is named by its rank, and any of several may have come first
 *   because: the channels shown are those of np = 5
 *   channel: @give -> @first
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @first
 *     senders [2..2] to 0
 *     receivers [0..0] from 2
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @second
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ first
        MPI_Recv(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                         //@ second
        //~^ MUST unmatched-recv
    } else if (rank <= 2) {
        MPI_Send(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);                                            //@ give
        //~^ MAY unmatched-send
    }

    MPI_Finalize();
    return 0;
}
