/* The receiver asks for the length of the message it has found, takes that much, and asks the status of a wait that had nothing to wait for as
 * well: both are set.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     4 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, length = 0, nothing = 0, letters[4] = {0};
    MPI_Status status, idle;
    MPI_Request none = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Wait(&none, &idle);
    MPI_Get_count(&idle, MPI_INT, &nothing);
    if (rank == np - 1 && np > 1) {
        MPI_Send(letters, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);                                       //@ give
    } else if (rank == 0 && np > 1) {
        MPI_Probe(np - 1, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &length);
        MPI_Recv(letters, length, MPI_INT, np - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //@ take
    }
    MPI_Finalize();
    return nothing;
}
