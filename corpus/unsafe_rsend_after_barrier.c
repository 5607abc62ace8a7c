/* The barrier comes before the receive, not after it.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: MPI_Rsend line +14 -> MPI_Irecv line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Rsend line +14 -> MPI_Irecv line +13
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
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);
    MPI_Rsend(&mine, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD); //~ MUST unsafe-send: may come before
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return theirs > 1;
}
