/* The same tag on a communicator and its duplicate: two messages that do not mix.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +14 -> MPI_Sendrecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 5, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +14 -> MPI_Sendrecv line +14
 *   pattern: ring of MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, in[2];
    MPI_Comm twin;

    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 5, &in[0], 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&size, 1, MPI_INT, left, 5, &in[1], 1, MPI_INT, right, 5, twin, MPI_STATUS_IGNORE);
    MPI_Comm_free(&twin);
    MPI_Finalize();
    return 0;
}
