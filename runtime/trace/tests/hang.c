/* Rank 1 sends with a tag that rank 0 does not wait for. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* @lost-send */
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
