/* A receive that nobody answers is cancelled, and waited for: a request is complete only then. */
/* expect:
 *   verdict: unknown
 *   because: line +14: whether `MPI_Cancel` comes in time depends on timing
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0, cancelled;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Irecv(&x, 1, MPI_INT, (rank + 1) % size, 77, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);

    MPI_Finalize();
    return x + !cancelled;
}
