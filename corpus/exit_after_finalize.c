/* After MPI_Finalize each process ends by itself: that rank 0 says so with another number is the end of rank 0 only. */
/* expect:
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
    if (rank + 1 < size)
        MPI_Recv(&sum, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (rank == 0)
        exit(sum > 1);
    _Exit(0);
}
