/* Halves of halves: the communicator of a split is split again, and each quarter has a barrier of its own.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @split: the colour of a split is not known
 *   because: the channels shown are those of np = 5
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..2], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [0..1], split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [2..2], split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [3..4], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [3..3], split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [4..4], split of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static MPI_Comm lower_or_upper(MPI_Comm comm)
{
    MPI_Comm part;
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_split(comm, 2 * rank >= size, rank, &part);     //@ split
    return part;
}

int main(int argc, char **argv)
{
    MPI_Comm half, quarter;

    MPI_Init(&argc, &argv);
    half = lower_or_upper(MPI_COMM_WORLD);
    quarter = lower_or_upper(half);
    MPI_Barrier(quarter);                                    //@ meet
    MPI_Comm_free(&quarter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
