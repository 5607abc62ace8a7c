/* The request is waited for, and no operation was ever started with it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE); //~ MUST invalid-request
    MPI_Finalize();
    return 0;
}
