/* Groups of four ranks: a rank of the second group sends two characters to the rank below, of the third three, and everybody takes one. What
 * is too long shows from five processes on.
 */
/* expect:
 *   np: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
 *   verdict: exact for np = 1..10
 *   lengths: not proved, @take: message-truncation
 *   channel: MPI_Isend @give -> @take
 *     senders [4..4] for np = 5, 7..10 to 3
 *     receivers [3..3] for np = 5, 7..10 from 4
 *     2 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [8..9] for np >= 10 to rank - 1
 *     receivers [7..8] for np >= 10 from rank + 1
 *     3 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders {4*i + j: i in [0..1], j in [1..3]} for np >= 8 to rank - 1
 *     receivers {4*i + j: i in [0..1], j in [0..2]} for np >= 8 from rank + 1
 *     unknown MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [8..8] for np = 9 to 7
 *     receivers [7..7] for np = 9 from 8
 *     3 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..3] for np = 5..7 to (j - 1)
 *     receivers [0..2] for np = 5..7 from (j + 1)
 *     1 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [5..6] for np = 7 to 4*1 + (j - 1)
 *     receivers [4..5] for np = 7 from 4*1 + (j + 1)
 *     2 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [4..5] for np = 6 to rank - 1
 *     receivers [3..4] for np = 6 from rank + 1
 *     2 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..3] for np = 4 to rank - 1
 *     receivers [0..2] for np = 4 from rank + 1
 *     1 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..2] for np = 3 to rank - 1
 *     receivers [0..1] for np = 3 from rank + 1
 *     1 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    char out[3] = "abc", in;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > 10)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank > 0)
        MPI_Isend(out, 1 + rank / 4, MPI_CHAR, rank - 1, 5, MPI_COMM_WORLD, &request);  //@ give
    if (rank + 1 < np)
        MPI_Recv(&in, 1, MPI_CHAR, rank + 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take
    //~^ MUST message-truncation: has room for 1 bytes
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
