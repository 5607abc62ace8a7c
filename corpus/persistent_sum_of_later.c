/* What is summed is there when the operation is started, not when it is initialised; and the sum overwrites what was stored in its
 * place. If the first number were summed, nobody would wait at the barrier.
 *
 * Persistent collectives came with MPI-4; with an older library the calls are plain ones.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no persistent collectives
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce_init line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Scan_init line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +26, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine = 0, sum = 0, most = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
    MPI_Request requests[2];
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Scan_init(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    mine = 1;
    sum = most = -1;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    mine = 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#endif
    if (sum > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    printf("%d: %d of %d\n", rank, most, sum);
    MPI_Finalize();
    return 0;
}
