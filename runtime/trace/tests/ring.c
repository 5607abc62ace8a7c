/* Ping-pong between ranks 0 and 1, then a ring of all ranks. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, np, left;
    double ball[3] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < 2; i++) {
        if (rank == 0) {
            MPI_Send(ball, 3, MPI_DOUBLE, 1, 10 + i, MPI_COMM_WORLD); /* @ping-send */
            MPI_Recv(ball, 3, MPI_DOUBLE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @pong-recv */
        } else if (rank == 1) {
            MPI_Recv(ball, 3, MPI_DOUBLE, MPI_ANY_SOURCE, 10 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* @ping-recv */
            MPI_Send(ball, 2, MPI_DOUBLE, 0, 20 + i, MPI_COMM_WORLD); /* @pong-send */
        }
    }
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % np, 5, &left, 1, MPI_INT, (rank + np - 1) % np, 5, /* @ring */
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int wrong = left != (rank + np - 1) % np;
    MPI_Finalize();
    return wrong;
}
