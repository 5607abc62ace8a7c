/* A receive is cancelled, and its request forgotten: cancelling completes nothing. */
/* expect:
 *   verdict: unknown
 *   because: line +13: whether `MPI_Cancel` comes in time depends on timing
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 77, MPI_COMM_WORLD, &request); //~ MUST request-missing-wait
    MPI_Cancel(&request);

    MPI_Finalize();
    return 0;
}
