/* Rank 0 receives into the variable that the others only read.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +19 -> MPI_Irecv line +13
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (size > 1) {
            MPI_Irecv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else {
        value++;
        if (rank == size - 1)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
