/* The next value is computed while the last one is being sent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +13 -> line +15
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +13 -> line +15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 1, in;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Isend(&value, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
    value = 2 * rank; //~ MUST buffer-race
    MPI_Recv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
