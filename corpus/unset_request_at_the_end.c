/* All but the last rank start a send; the last one waits for a request that nobody has set there. */
/* expect:
 *   verdict: exact for any np >= 3
 *   channel: MPI_Isend line +14 -> line +16
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend line +14 -> line +16
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, left = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank + 1 < size)
        MPI_Isend(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &request);
    if (rank > 0)
        MPI_Recv(&left, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);                  //~ MUST invalid-request: the request of MPI_Wait is never set

    MPI_Finalize();
    return left < 0;
}
