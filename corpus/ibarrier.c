/* Nobody knows how many messages will come: everyone receives until all have met in a nonblocking barrier.
 *
 * A rank enters the barrier when its own message has begun to be received, which the synchronous send tells.
 */
/* expect:
 *   verdict: bounded to 2..3
 *   because: @give: the partner mixes digits of the rank
 *   because: line +21: which of several processes `MPI_Iprobe` in line +15 tells that it is done is open
 *   because: the limit on states was reached (np = 4)
 *   because: some processes may ask for ever for what does not come (np = 4)
 *   because: the channels shown are those of np = 3
 *   channel: MPI_Issend @give -> @take
 *     senders [2..2] to 1
 *     receivers [1..1] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Issend @give -> @take
 *     senders [0..1] to 0
 *     receivers [0..0] from each of [0..1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ibarrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: gather of MPI_Issend @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, theirs, there, sent = 0, over = 0, waiting = 0;
    MPI_Request send, barrier;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Issend(&rank, 1, MPI_INT, rank / 2, 0, MPI_COMM_WORLD, &send);                              //@ give
    while (!over) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (there)
            MPI_Recv(&theirs, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        if (waiting) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
        } else {
            MPI_Test(&send, &sent, MPI_STATUS_IGNORE);
            if (sent) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);                                             //@ meet
                waiting = 1;
            }
        }
    }

    MPI_Finalize();
    return 0;
}
