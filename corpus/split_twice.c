/* Halves of halves: the communicator of a split is split again, and each quarter has a barrier of its own.
 */
/* expect:
 *   verdict: unknown
 *   because: @split: `MPI_Comm_split` is not followed yet
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
