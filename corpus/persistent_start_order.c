/* A broadcast and a barrier that were initialised together are started in this order by one process and in the other by the others:
 * which operation is which was settled before.
 *
 * Persistent collectives came with MPI-4; with an older library the calls are plain ones.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no persistent collectives
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast_init @limit, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier_init @all, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +31 printf on [0..np-1]: limit = 42
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, limit = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if MPI_VERSION >= 4
    MPI_Request requests[2];
    MPI_Bcast_init(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);   //@ limit
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);                        //@ all
    if (rank == 0) {
        limit = 42;
        MPI_Start(&requests[0]);
        MPI_Start(&requests[1]);
    } else {
        MPI_Start(&requests[1]);
        MPI_Start(&requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    if (rank == 0)
        limit = 42;
    MPI_Bcast(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    printf("up to %d\n", limit);
    MPI_Finalize();
    return 0;
}
