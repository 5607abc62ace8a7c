/* A root counts in the communicator of the call: the last of the lower half is one below the size of that half, of whatever size it
 * is.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +15, root (np / 2) - 1, ranks [0..(np / 2)-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +15, root np - (np / 2) - 1, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, members, x;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
    MPI_Comm_size(half, &members);
    x = rank;
    MPI_Bcast(&x, 1, MPI_INT, members - 1, half);
    printf("%d has %d\n", rank, x);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
