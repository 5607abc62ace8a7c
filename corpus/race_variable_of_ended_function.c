/* The number that is sent belongs to a function which returns before the message is on its way. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +6 -> line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +6 -> line +18
 */
#include <mpi.h>

static void send_to(int next, MPI_Request *request)
{
    int number = 4;
    MPI_Isend(&number, 1, MPI_INT, next, 0, MPI_COMM_WORLD, request);
} //~ MUST buffer-race: this return ends

int main(int argc, char **argv)
{
    int rank, size, number;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    send_to((rank + 1) % size, &request);
    MPI_Recv(&number, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
