/* The receiver asks how long the message is before it has looked for it: the status holds nothing yet. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @take: how much the receive has room for is not known
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     4 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, length, letters[4] = {0};
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == np - 1 && np > 1) {
        MPI_Send(letters, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);                                       //@ give
    } else if (rank == 0 && np > 1) {
        MPI_Get_count(&status, MPI_INT, &length); //~ MUST invalid-count: the status that MPI_Get_count asks is not set
        MPI_Probe(np - 1, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(letters, length, MPI_INT, np - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //@ take
    }
    MPI_Finalize();
    return 0;
}
