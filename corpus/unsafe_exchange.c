/* Partners that both send before they receive, the first rank with the last, the second with the last but one, and so on.
 *
 * It ends only where the implementation buffers the messages.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-1] to np - rank - 1
 *     receivers [0..np-1] from np - rank - 1
 *     2 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine[2] = {0}, theirs[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int opposite = np - 1 - rank;
    MPI_Send(mine, 2, MPI_DOUBLE, opposite, 0, MPI_COMM_WORLD);                             //@ give //~ MAY unsafe-send
    MPI_Recv(theirs, 2, MPI_DOUBLE, opposite, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take

    MPI_Finalize();
    return 0;
}
