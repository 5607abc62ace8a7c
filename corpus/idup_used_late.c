/* A duplicate of a communicator is used once the operation that makes it is complete; the old one all the time.
 *
 * Right; near-miss of invalid-communicator.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_idup line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +12, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
