/* A helper starts every request of an array through a pointer, and another one finishes and frees them backwards.
 *
 * Right; near-miss of persistent-not-started, request-leak and request-missing-wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +30 -> MPI_Recv_init line +29
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 2
 *   pattern: ring of MPI_Send_init line +30 -> MPI_Recv_init line +29
 */
#include <mpi.h>

#define COUNT 4

static void start_all(MPI_Request *first, int count)
{
    for (MPI_Request *request = first; request < first + count; request++)
        MPI_Start(request);
}

static void finish_all(MPI_Request *first, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        MPI_Wait(&first[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&first[i]);
    }
}

int main(int argc, char **argv)
{
    int rank, size, out[2] = {1, 2}, in[2];
    MPI_Request requests[COUNT];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 2; i++) {
        MPI_Recv_init(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send_init(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[2 + i]);
    }
    start_all(requests, COUNT);
    finish_all(requests, COUNT);

    MPI_Finalize();
    return 0;
}
