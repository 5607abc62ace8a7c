/* The receive stands first, but nothing makes the last rank wait for it: that a rank is the lowest one does not make it the quickest.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: MPI_Rsend line +15 -> MPI_Irecv line +13
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    int mine = 1, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0)
        MPI_Irecv(&theirs, 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD, &request);
    if (rank == np - 1)
        MPI_Rsend(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); //~ MUST unsafe-send: may come before
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return theirs > 1;
}
