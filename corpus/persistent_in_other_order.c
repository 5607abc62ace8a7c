/* Rank 0 initialises the broadcast first, the others the reduction: these are the operations that belong together, not those of one name.
 *
 * Persistent collectives came with MPI-4; with an older library nothing is done.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no persistent collectives
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast_init line +13 line +17, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce_init line +14 line +16, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast_init line +13, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce_init line +14, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   fact: line +26 printf on [0..np-1]: limit = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, limit = 1, one = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Bcast_init(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Reduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    } else {
        MPI_Reduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]); //~ MUST collective-mismatch
        MPI_Bcast_init(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]); //~ MUST collective-mismatch
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    sum = one;
#endif
    printf("%d %d\n", limit, sum);
    MPI_Finalize();
    return 0;
}
