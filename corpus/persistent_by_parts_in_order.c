/* The even ranks initialise an operation among themselves before the one of all; the roots of both look at their own calls.
 *
 * Persistent collectives came with MPI-4; with an older library the calls are plain ones.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no persistent collectives
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce_init line +15, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast_init line +16 line +23, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce_init line +15, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce_init line +15, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast_init line +16, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, limit = 0, part = 0, one = 1;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
#if MPI_VERSION >= 4
    MPI_Request among, all;
    if (rank % 2 == 0) {
        MPI_Allreduce_init(&one, &part, 1, MPI_INT, MPI_SUM, half, MPI_INFO_NULL, &among);
        MPI_Bcast_init(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all);
        limit = 7;
        MPI_Start(&among);
        MPI_Start(&all);
        MPI_Wait(&among, MPI_STATUS_IGNORE);
        MPI_Request_free(&among);
    } else {
        MPI_Bcast_init(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &all);
        MPI_Start(&all);
    }
    MPI_Wait(&all, MPI_STATUS_IGNORE);
    MPI_Request_free(&all);
#else
    if (rank % 2 == 0)
        MPI_Allreduce(&one, &part, 1, MPI_INT, MPI_SUM, half);
    MPI_Bcast(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
    MPI_Comm_free(&half);
    printf("%d %d\n", limit, part);
    MPI_Finalize();
    return 0;
}
