/* To wait for no request is no error: the send was left out where there is no neighbour.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +12 -> line +14
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend line +12 -> line +14
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1, y = 0;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank + 1 < size)
        MPI_Isend(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, &request);
    if (rank > 0)
        MPI_Recv(&y, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
