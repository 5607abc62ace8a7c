/* Between two groups, each side gives as much as the other takes: the two directions of an allgather may differ.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +14: what `MPI_Allgather` moves between two groups is not compared
 *   lengths: not proved, line +16: how many bytes MPI_Allgather accesses of its buffer is not known
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +12, ranks [0..0] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +12, ranks [1..np-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +14 line +16, ranks [0..0] and [1..np-1] for np >= 2, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, is_left, mine[3] = { 1, 2, 3 }, theirs[3 * 64];
    MPI_Comm half, across;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_left = rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, is_left, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_left ? 1 : 0, 7, &across);   //~ NOTE deadlock: no other group
    if (is_left)
        MPI_Allgather(mine, 3, MPI_INT, theirs, 2, MPI_INT, across);
    else
        MPI_Allgather(mine, 2, MPI_INT, theirs, 3, MPI_INT, across);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
