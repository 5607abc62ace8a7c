/* Odd-even transposition: in even phases rank 2k meets rank 2k + 1, in odd phases rank 2k - 1 meets rank 2k.
 *
 * Who has no partner in a phase does nothing in it. After np phases the numbers are sorted by rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat unknown
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
