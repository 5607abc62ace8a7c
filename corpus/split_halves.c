/* The processes are split into a lower and an upper half, and each half has a ring of its own.
 *
 * Neighbours are ranks of the half; with an odd number of processes the upper half has one more.
 */
/* expect:
 *   verdict: unknown
 *   because: @split: `MPI_Comm_split` is not followed yet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, me, size, theirs;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int colour = rank < np / 2 ? 0 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &half);                                    //@ split
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);

    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % size, 0, &theirs, 1, MPI_INT, (me + size - 1) % size, 0, half, //@ pass
                 MPI_STATUS_IGNORE);

    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
