/* A broadcast by doubling: in round k the first 2^k ranks have the value, and each gives it to the rank 2^k above, if any.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +12: there are ever more kinds of processes or messages
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: @give -> @take
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] to 4
 *     receivers [4..4] from 0
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..1] to rank + 2
 *     receivers [2..3] from rank - 2
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double x[5] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int have = 1; have < np; have *= 2) {
        if (rank < have) {
            if (rank + have < np)
                MPI_Send(x, 5, MPI_DOUBLE, rank + have, 0, MPI_COMM_WORLD);                          //@ give
        } else if (rank < 2 * have) {
            MPI_Recv(x, 5, MPI_DOUBLE, rank - have, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ take
        }
    }

    MPI_Finalize();
    return 0;
}
