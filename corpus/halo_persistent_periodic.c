/* A periodic halo exchange with persistent requests that are started one by one, in a loop that ends by an argument.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Send_init @pass -> MPI_Recv_init @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Send_init @pass -> MPI_Recv_init @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    int mine = 0, theirs = 0;
    MPI_Request send, receive;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int steps = argc > 1 ? atoi(argv[1]) : 4;

    MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, &send);             //@ pass
    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &receive);   //@ take
    while (steps-- > 0) {
        mine = theirs + 1;
        MPI_Start(&receive);
        MPI_Start(&send);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);

    MPI_Finalize();
    return 0;
}
