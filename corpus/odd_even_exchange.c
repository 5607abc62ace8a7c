/* Odd-even transposition: in even phases rank 2k meets rank 2k + 1, in odd phases rank 2k - 1 meets rank 2k.
 *
 * Who has no partner in a phase does nothing in it. After np phases the numbers are sorted by rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [2*(np / 2)..2*(np / 2)] for odd np >= 5 to 2*(np / 2) - 1
 *     receivers [2*(np / 2)-1..2*(np / 2)-1] for odd np >= 5 from 2*(np / 2)
 *     1 MPI_INT, tag 2*(np / 2) - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [2*(np / 2)-1..2*(np / 2)-1] for odd np >= 5 to 2*(np / 2)
 *     receivers [2*(np / 2)..2*(np / 2)] for odd np >= 5 from 2*(np / 2) - 1
 *     1 MPI_INT, tag 2*(np / 2) - 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 3 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 for odd np >= 3 from rank + 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..2*(np / 2)-2] step 2 for odd np >= 3 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 for odd np >= 3 from rank - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..2*(np / 2)] step 2 for odd np >= 5 to each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     receivers [1..2*(np / 2)-1] step 2 for odd np >= 5 from each of [rank-1..rank+1] step 2
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat (np / 2) - 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 5 to each of [rank-1..rank+1] step 2
 *     receivers [0..2*(np / 2)] step 2 for odd np >= 5 from each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat (np / 2) - 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..2*(np / 2)-2] step 2 for np >= 4 to each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     receivers [1..2*(np / 2)-1] step 2 for np >= 4 from each of [rank-1..rank+1] step 2 within [0..2*(np / 2)-2] step 2
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..2*(np / 2)-1] step 2 for np >= 4 to each of [rank-1..rank+1] step 2 within [0..2*(np / 2)-2] step 2
 *     receivers [0..2*(np / 2)-2] step 2 for np >= 4 from each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..1] for np = 3 to rank + 1
 *     receivers [1..2] for np = 3 from rank - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..2] for np = 3 to rank - 1
 *     receivers [0..1] for np = 3 from rank + 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: band of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: band of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: band of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: band of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: shift of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
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
