/* All start their receives, meet in a barrier, and pass a message on by a ready send that is kept for all rounds.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: MPI_Rsend_init @give -> MPI_Irecv @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Barrier line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Rsend_init @give -> MPI_Irecv @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    int mine = 1, theirs = 0;
    MPI_Request request, send;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Rsend_init(&mine, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, &send);                   //@ give
    for (int round = 0; round < 3; round++) {
        MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);          //@ take
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Start(&send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
    MPI_Finalize();
    return theirs > 1;
}
