/* A persistent send is changed between its rounds, not while one is under way.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +13 -> line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Send_init line +13 -> line +17
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, in;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Send_init(&value, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < 3; step++) {
        value = step;
        MPI_Start(&request);
        MPI_Recv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
