/* Odd-even transposition: in even phases rank 2k meets rank 2k + 1, in odd phases rank 2k - 1 meets rank 2k.
 *
 * Who has no partner in a phase does nothing in it. After np phases the numbers are sorted by rank.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +14: a quotient of ranks has no simple form
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..2] to rank + 1
 *     receivers [1..3] from rank - 1
 *     1 MPI_INT, tag receiver + 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..3] to rank - 1
 *     receivers [0..2] from rank + 1
 *     1 MPI_INT, tag receiver + 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_INT, tag receiver - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..4] to rank - 1
 *     receivers [0..3] from rank + 1
 *     1 MPI_INT, tag receiver, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [2..3] to rank + 1
 *     receivers [3..4] from rank - 1
 *     1 MPI_INT, tag receiver - 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [3..4] to rank - 1
 *     receivers [2..3] from rank + 1
 *     1 MPI_INT, tag receiver - 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   fact: line +23 printf on [4..4]: rank = 4, mine = 5
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = (7 * rank + 3) % (np + 1);
    for (int phase = 0; phase < np; phase++) {
        int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;

        if (partner < 0 || partner >= np)
            continue;
        MPI_Sendrecv(&mine, 1, MPI_INT, partner, phase, &theirs, 1, MPI_INT, partner, phase, //@ meet
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if ((rank < partner) == (theirs < mine))
            mine = theirs;
    }
    printf("rank %d: %d\n", rank, mine);

    MPI_Finalize();
    return 0;
}
