/* A dissemination barrier by hand: the number of rounds and the distance of each are computed with floating-point numbers.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +17: whether there is a case of invalid-rank depends on functions that are not evaluated
 *   because: @round: the partner of `MPI_Sendrecv` is not known
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [3..3] to 0
 *     receivers [0..0] from 3
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..0] to 4
 *     receivers [4..4] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [1..4] to rank - 1
 *     receivers [0..3] from rank + 1
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [4..4] to each of [0..1]
 *     receivers [0..1] from 4
 *     1 MPI_INT, tag receiver, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..3] to each of [rank+1..rank+2] within [1..4]
 *     receivers [1..4] from each of [rank-2..rank-1] within [0..3]
 *     1 MPI_INT, tag receiver - sender - 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: fan-out of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: band of MPI_Sendrecv @round -> MPI_Sendrecv @round
 */
#include <math.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, known = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = (int)ceil(log2(size));

    for (int round = 0; round < rounds; round++) {
        int distance = (int)pow(2, round);

        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + distance) % size, round, &known, 1, MPI_INT, //@ round
                     (rank - distance + size) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return known < 0;
}
