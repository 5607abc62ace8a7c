/* The partitions are filled and marked ready from the last to the first.
 *
 * Right; near-miss of partitioned-misuse.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 1
 *   channel: MPI_Psend_init line +19 -> MPI_Precv_init line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     32 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Psend_init line +19 -> MPI_Precv_init line +18
 */
#include <mpi.h>

#define PARTS 4
#define LENGTH 8

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

#if MPI_VERSION >= 4
    double out[PARTS * LENGTH] = {0}, in[PARTS * LENGTH];
    MPI_Request send, receive;

    MPI_Precv_init(in, PARTS, LENGTH, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    MPI_Psend_init(out, PARTS, LENGTH, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    MPI_Start(&receive);
    MPI_Start(&send);
    for (int part = PARTS - 1; part >= 0; part--) {
        out[part * LENGTH] = rank + part;
        MPI_Pready(part, send);
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
#endif

    MPI_Finalize();
    return 0;
}
