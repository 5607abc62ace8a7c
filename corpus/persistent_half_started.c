/* Both directions of a ring are prepared, but MPI_Startall is told of two requests only: the way to the left is never started. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +17 -> MPI_Recv_init line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Send_init line +17 -> MPI_Recv_init line +16
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs[2] = {0};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    mine = rank;
    MPI_Recv_init(&theirs[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&mine, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&theirs[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&mine, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Startall(2, requests);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE); //~ MUST persistent-not-started
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);

    MPI_Finalize();
    return 0;
}
