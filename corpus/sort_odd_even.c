/* Odd-even transposition sort: in each of np phases neighbours compare, in even phases from the even ones upwards, in odd phases from the odd ones; the lower one of a pair keeps the smaller number. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [2*(np / 2)..2*(np / 2)] for odd np >= 5 to 2*(np / 2) - 1
 *     receivers [2*(np / 2)-1..2*(np / 2)-1] for odd np >= 5 from 2*(np / 2)
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [2*(np / 2)-1..2*(np / 2)-1] for odd np >= 5 to 2*(np / 2)
 *     receivers [2*(np / 2)..2*(np / 2)] for odd np >= 5 from 2*(np / 2) - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 3 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 for odd np >= 3 from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..2*(np / 2)-2] step 2 for odd np >= 3 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 for odd np >= 3 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..2*(np / 2)] step 2 for odd np >= 5 to each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     receivers [1..2*(np / 2)-1] step 2 for odd np >= 5 from each of [rank-1..rank+1] step 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat (np / 2) - 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 5 to each of [rank-1..rank+1] step 2
 *     receivers [0..2*(np / 2)] step 2 for odd np >= 5 from each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat (np / 2) - 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..2*(np / 2)-2] step 2 for np >= 4 to each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     receivers [1..2*(np / 2)-1] step 2 for np >= 4 from each of [rank-1..rank+1] step 2 within [0..2*(np / 2)-2] step 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..2*(np / 2)-1] step 2 for np >= 4 to each of [rank-1..rank+1] step 2 within [0..2*(np / 2)-2] step 2
 *     receivers [0..2*(np / 2)-2] step 2 for np >= 4 from each of [rank-1..rank+1] step 2 within [1..2*(np / 2)-1] step 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..1] for np = 3 to rank + 1
 *     receivers [1..2] for np = 3 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..2] for np = 3 to rank - 1
 *     receivers [0..1] for np = 3 from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: band of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: band of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: band of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: band of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = (rank * 7919 + 13) % 101;
    for (int phase = 0; phase < np; phase++) {
        int partner = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;
        if (partner < 0 || partner >= np)
            continue;
        MPI_Sendrecv(&mine, 1, MPI_INT, partner, 0, &other, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < partner ? other < mine : mine < other)
            mine = other;
    }

    printf("%d: %d\n", rank, mine);
    MPI_Finalize();
    return 0;
}
