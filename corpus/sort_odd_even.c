/* Odd-even transposition sort: in each of np phases neighbours compare, in even phases from the even ones upwards, in odd phases from the odd ones; the lower one of a pair keeps the smaller number. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   fact: line +22 printf on [4..4]: rank = 4, mine = 95
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
