/* Two numbers of one type are as much as one pair of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +12: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +12 line +14, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    struct { int value, rank; } pair = {1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Bcast(&pair, 1, MPI_2INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&pair, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
