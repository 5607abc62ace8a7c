/* The loop that frees the four requests of a halo stops one too early. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +20 -> MPI_Recv_init line +19
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 5
 *   channel: MPI_Send_init line +21 -> MPI_Recv_init line +18
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 5
 *   pattern: shift of MPI_Send_init line +20 -> MPI_Recv_init line +19
 *   pattern: shift of MPI_Send_init line +21 -> MPI_Recv_init line +18
 */
#include <mpi.h>

#define N 8

int main(int argc, char **argv)
{
    int rank, size;
    double u[N + 2] = {0};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Recv_init(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Send_init(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]); //~ MUST request-leak

    for (int step = 0; step < 5; step++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);

    MPI_Finalize();
    return 0;
}
