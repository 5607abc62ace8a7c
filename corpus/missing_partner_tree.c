/* A broadcast by doubling that forgets to ask whether there is a rank so far above: with any number of processes that is no power of two
 * the last round sends to nobody.
 */
/* expect:
 *   verdict: exact for np = 1, 2, 4, ..., 2^30
 *   assuming: there are no more than 1073741824 processes
 *   channel: @give -> @take
 *     senders [0..m-1] for np >= 2*m, m = 1, 2, 4, ..., 2^29 to rank + m
 *     receivers [m..2*m-1] for np >= 2*m, m = 1, 2, 4, ..., 2^29 from rank - m
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int have = 1; have < np; have *= 2) {
        if (rank < have)
            MPI_Send(&x, 1, MPI_INT, rank + have, 0, MPI_COMM_WORLD);                                   //@ give
        //~^ MUST invalid-rank
        else if (rank < 2 * have)
            MPI_Recv(&x, 1, MPI_INT, rank - have, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                //@ take
    }
    MPI_Finalize();
    return 0;
}
