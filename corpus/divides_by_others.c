/* The work is shared by all but rank 0. Alone it would divide by zero: the program is for two processes and more. */
/* expect:
 *   np: >= 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, share;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share = 100 / (size - 1);
    if (share > 0 && rank == 0)
        MPI_Send(&share, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (share > 0 && rank == 1)
        MPI_Recv(&share, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
