/* A helper starts two sends, and only the first of the two is waited for. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +5 -> line +24
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +5 -> line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +5 -> line +24
 *   pattern: ring of MPI_Isend line +5 -> line +25
 */
#include <mpi.h>

static void start(int *value, int to, int tag, MPI_Request *request)
{
    MPI_Isend(value, 1, MPI_INT, to, tag, MPI_COMM_WORLD, request); //~ MUST request-missing-wait
}

int main(int argc, char **argv)
{
    int rank, size, out[2], in[2];
    MPI_Request first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    out[0] = rank;
    out[1] = rank * rank;
    start(&out[0], right, 0, &first);
    start(&out[1], right, 1, &second);
    MPI_Recv(&in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in[1], 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&first, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
