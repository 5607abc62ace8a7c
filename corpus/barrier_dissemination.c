/* A barrier by dissemination: in the round of distance d every rank tells the one d above, counted around, and hears of the one d below.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: there are no more than 1073741824 processes
 *   channel: MPI_Sendrecv @tell -> MPI_Sendrecv @tell
 *     senders [0..np-1] for np >= m + 1, m = 1, 2, 4, ..., 2^29 to (rank + m) % np
 *     receivers [0..np-1] for np >= m + 1, m = 1, 2, 4, ..., 2^29 from (rank - m + np) % np
 *     1 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: cyclic shift of MPI_Sendrecv @tell -> MPI_Sendrecv @tell
 */
#include <mpi.h>

static void barrier(MPI_Comm comm)
{
    int rank, np;
    char token = 0, heard;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &np);
    for (int distance = 1; distance < np; distance <<= 1) {
        int to = (rank + distance) % np;
        int from = (rank - distance + np) % np;
        MPI_Sendrecv(&token, 1, MPI_CHAR, to, 0, &heard, 1, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE);  //@ tell //~ NOTE use-collective: MPI_Barrier
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
