/* The request of a nonblocking sum is freed: that is not allowed for any collective operation. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);   //~ MUST request-missing-wait: is freed while
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
