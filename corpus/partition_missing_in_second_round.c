/* In the second round one partition is left out: what was ready in the first one does not count.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 1
 *   channel: MPI_Psend_init line +18 -> MPI_Precv_init line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 2
 *   pattern: ring of MPI_Psend_init line +18 -> MPI_Precv_init line +17
 */
#include <mpi.h>

#define PARTS 4

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

#if MPI_VERSION >= 4
    double out[PARTS] = { 0 }, in[PARTS];
    MPI_Request send, receive;

    MPI_Precv_init(in, PARTS, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Psend_init(out, PARTS, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&receive);
        MPI_Start(&send);
        MPI_Pready_range(0, PARTS - 2, send);
        if (round == 0)
            MPI_Pready(PARTS - 1, send);
        MPI_Wait(&send, MPI_STATUS_IGNORE); //~ MUST partitioned-misuse: partition 3
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
#endif

    MPI_Finalize();
    return 0;
}
