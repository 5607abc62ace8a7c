/* The request of a receive is freed at once: after that nothing tells when the number is there.
 *
 * The barrier does not help: it is no answer to the message.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +15 -> MPI_Irecv line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +15 -> MPI_Irecv line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);   //~ MUST request-missing-wait: is freed while
    MPI_Request_free(&request);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
