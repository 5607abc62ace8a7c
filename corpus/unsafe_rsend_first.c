/* A ready send may be started before the receive: nothing keeps the sender from being the quicker one.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: MPI_Rsend line +12 -> line +15
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    int mine = 1, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0)
        MPI_Rsend(&mine, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); //~ MUST unsafe-send: may come before
        //~^ NOTE invalid-rank: partner 1
    else if (rank == 1)
        MPI_Recv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return theirs > 1;
}
