/* A request that was never there is freed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request_free(&request); //~ MUST invalid-request
    MPI_Finalize();
    return 0;
}
