/* A duplicate of a communicator is used before the operation that makes it is complete.
 */
/* expect:
 *   verdict: unknown
 *   because: line +10: the communicator is not known here
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Barrier(copy); //~ MUST invalid-communicator: is not made before `MPI_Comm_idup` is complete
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
