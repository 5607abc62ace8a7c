/* Groups of four ranks: a rank of the second group sends two characters to the rank below, of the third three, and everybody takes one. What
 * is too long shows from five processes on.
 */
/* expect:
 *   np: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
 *   verdict: exact for np = 1..10
 *   lengths: not proved, @take: message-truncation
 *   channel: MPI_Isend @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     unknown MPI_CHAR, tag 5, MPI_COMM_WORLD, repeat 1
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
