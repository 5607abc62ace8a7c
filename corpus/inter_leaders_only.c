/* Who leads the other group is asked of the leader only: what the others say may be anything.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   collective: MPI_Comm_split line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +20, ranks [0..0], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +20, ranks [1..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +21, ranks [0..0] and [1..np-1], intercommunicator of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, is_first, other;
    MPI_Comm half, across;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    is_first = rank == 0;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &half);
    other = -1;
    if (rank == 0)
        other = 1;
    if (rank == 1)
        other = 0;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 3, &across);
    MPI_Barrier(across);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
