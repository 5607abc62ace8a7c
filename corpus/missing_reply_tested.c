/* Neighbours tell each other whether they have each other's first message already, and whoever has it expects to be told: where one
 * has it and the other has not yet, the first waits for ever.
 */
/* expect:
 *   np: 2, 4, 6, 8
 *   verdict: bounded to 2, 4
 *   because: line +24: which of several processes `MPI_Test` in line +19 tells that it is done is open
 *   because: every path ends the program early (np = 3)
 *   because: every path ends the program early (np = 5)
 *   because: every path ends the program early (np = 7)
 *   because: the channels shown are those of np = 4
 *   channel: line +18 -> MPI_Irecv line +17
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +18 -> MPI_Irecv line +17
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +18 -> MPI_Irecv line +17
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +18 -> MPI_Irecv line +17
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +21 -> line +22
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: line +21 -> line +22
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: line +21 -> line +22
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: line +21 -> line +22
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   fact: line +27 printf on [0..0]: rank = 0, theirs = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, have, mine, theirs = 0, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % 2 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
    MPI_Test(&request, &have, MPI_STATUS_IGNORE);
    if (have) {
        MPI_Send(&mine, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);                                        //~ MAY unmatched-send
        MPI_Recv(&word, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                     //~ MUST unmatched-recv: never comes
    } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    printf("%d: %d %d\n", rank, theirs, word);
    MPI_Finalize();
    return 0;
}
