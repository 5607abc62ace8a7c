/* Two messages are found, and the second one is received before the first one. */
/* expect:
 *   verdict: unknown
 *   because: line +16: a message that a matched probe has found may be asked for once more
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, first = 1, second = 2, got[2] = {0, 0};
    MPI_Message found[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size >= 2 && rank == 0) {
        MPI_Send(&first, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&second, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (size >= 2 && rank == 1) {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &found[0], MPI_STATUS_IGNORE);
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &found[1], MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[1], 1, MPI_INT, &found[1], MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[0], 1, MPI_INT, &found[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return got[0] > got[1];
}
