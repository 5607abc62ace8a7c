/* Everybody hears of six ranks: the number of rounds and the distance of each are computed with floating-point numbers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..np-1] for np >= 5 to (rank + 4) % np
 *     receivers [0..np-1] for np >= 5 from (rank - 4 + np) % np
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..np-2] for np = 3 and np >= 5 to each of [rank+1..rank+2] within [1..np-1]
 *     receivers [1..np-1] for np = 3 and np >= 5 from each of [rank-2..rank-1] within [0..np-2]
 *     1 MPI_INT, tag receiver - sender - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [np-2..np-1] for np >= 2 to each of [0..rank-np+2]
 *     receivers [0..1] for np >= 2 from each of [np+rank-2..np-1]
 *     1 MPI_INT, tag np + receiver - sender - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..3] for np = 4 to each of [rank..rank+2] within [0..3]
 *     receivers [0..3] for np = 4 from each of [rank-2..rank] within [0..3]
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [2..2] for np = 3 to 0
 *     receivers [0..0] for np = 3 from 2
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..1] for np = 3 to rank + 1
 *     receivers [1..2] for np = 3 from rank - 1
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..1] for np = 2 to each of [rank..1]
 *     receivers [0..1] for np = 2 from each of [0..rank]
 *     1 MPI_INT, tag 2*np + 2*(sender - receiver) - 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 3
 *   pattern: cyclic shift of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: band of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: band of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: band of MPI_Sendrecv @round -> MPI_Sendrecv @round
 *   pattern: shift of MPI_Sendrecv @round -> MPI_Sendrecv @round
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
    int rounds = (int)ceil(log2(6));

    for (int round = 0; round < rounds; round++) {
        int distance = (int)pow(2, round);

        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + distance) % size, round, &known, 1, MPI_INT, //@ round
                     (rank + 4 * size - distance) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return known < 0;
}
