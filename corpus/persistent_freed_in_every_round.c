/* A persistent pair is prepared for each message length and freed before the next: one variable for many requests.
 *
 * Right; near-miss of request-leak, request-reuse and use-after-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +17 -> MPI_Recv_init line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     unknown MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 10
 *   pattern: ring of MPI_Send_init line +17 -> MPI_Recv_init line +16
 */
#include <mpi.h>

#define N 16

int main(int argc, char **argv)
{
    int rank, size;
    double out[N] = {0}, in[N];
    MPI_Request pair[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int length = 1; length <= N; length *= 2) {
        MPI_Recv_init(in, length, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &pair[0]);
        MPI_Send_init(out, length, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &pair[1]);
        for (int repeat = 0; repeat < 2; repeat++) {
            MPI_Startall(2, pair);
            MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&pair[0]);
        MPI_Request_free(&pair[1]);
    }

    MPI_Finalize();
    return 0;
}
