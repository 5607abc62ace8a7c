/* All but the last rank start a send. The last one waits for a null request, which is legal; so is that of a helper function. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +7 -> line +21
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend line +7 -> line +21
 */
#include <mpi.h>

static void begin(int *value, int to, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (to != MPI_PROC_NULL)
        MPI_Isend(value, 1, MPI_INT, to, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char **argv)
{
    int rank, size, left = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    begin(&rank, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, &request);
    if (rank > 0)
        MPI_Recv(&left, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return left < 0;
}
