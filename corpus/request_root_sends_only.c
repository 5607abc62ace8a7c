/* The root starts a send in its branch and never waits for it; the last rank receives the message. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +13 -> line +15
 *     senders [0..0] to np - 1
 *     receivers [np-1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out = 42, in = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        MPI_Isend(&out, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, &request); //~ MUST request-missing-wait
    if (rank == size - 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
