/* A chain of synchronous sends: every rank but the first receives before it sends, so none of them waits for ever.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Ssend @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     16 MPI_CHAR, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ssend @pass -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    char text[16] = "pass it on";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank != 0)
        MPI_Recv(text, 16, MPI_CHAR, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    if (rank != np - 1)
        MPI_Ssend(text, 16, MPI_CHAR, rank + 1, 1, MPI_COMM_WORLD);                   //@ pass //~ NOTE use-collective: MPI_Bcast

    MPI_Finalize();
    return 0;
}
