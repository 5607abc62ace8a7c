/* What is ready to be sent is read. Right.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 1
 *   channel: MPI_Psend_init line +19 -> MPI_Precv_init line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     8 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Psend_init line +19 -> MPI_Precv_init line +18
 */
#include <mpi.h>

#define PARTS 4
#define LENGTH 2

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

#if MPI_VERSION >= 4
    double out[PARTS * LENGTH] = {0}, in[PARTS * LENGTH], seen = 0;
    MPI_Request send, receive;

    MPI_Precv_init(in, PARTS, LENGTH, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Psend_init(out, PARTS, LENGTH, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Start(&receive);
    MPI_Start(&send);
    MPI_Pready_range(0, PARTS - 1, send);
    seen = out[LENGTH * (PARTS - 1)];
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    out[0] = seen + in[0];
#endif

    MPI_Finalize();
    return 0;
}
