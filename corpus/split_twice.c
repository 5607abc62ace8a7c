/* Halves of halves: the communicator of a split is split again, and each quarter has a barrier of its own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..(np / 2)] for odd np >= 1, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [(np / 2)+1..np-1] for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [0..((np / 2) / 2)] for np >= 2 with np % 4 = 2..3 and np >= 5 with np % 4 = 1, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [((np / 2) / 2)+1..(np / 2)] for np = 2 and odd np >= 3, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)+1..(np / 2)+((np / 2) / 2)+1] for np >= 3 with np % 4 = 3, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)+((np / 2) / 2)+2..np-1] for np >= 7 with np % 4 = 3, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..(np / 2)-1] for even np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [(np / 2)..np-1] for even np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [((np / 2) / 2)+1..(np / 2)-1] for np >= 6 with np % 4 = 2, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)..(np / 2)+((np / 2) / 2)] for np >= 6 with np % 4 = 2, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)+((np / 2) / 2)+1..np-1] for np >= 5 with np % 4 = 1..2, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)+1..(np / 2)+((np / 2) / 2)] for np >= 5 with np % 4 = 1, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [0..((np / 2) / 2)-1] for np >= 4 with np % 4 = 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [((np / 2) / 2)..(np / 2)-1] for np >= 4 with np % 4 = 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)..(np / 2)+((np / 2) / 2)-1] for np >= 4 with np % 4 = 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [(np / 2)+((np / 2) / 2)..np-1] for np >= 4 with np % 4 = 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @meet, ranks [0..0] for np = 1, split of split of MPI_COMM_WORLD, repeat 1
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
