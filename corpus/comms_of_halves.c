/* The last rank sends on the communicator of its half what the first awaits on that of all.
 */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, size - rank, &half);
    if (rank == size - 1 && size > 3)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, half);
    if (rank == size - 2 && size > 3)
        MPI_Recv(&in, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST communicator-mismatch
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
