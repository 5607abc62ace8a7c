/* MPI_IN_PLACE stands for no buffer of a message between two.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +10 -> MPI_Sendrecv line +10
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +10 -> MPI_Sendrecv line +10
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(MPI_IN_PLACE, 1, MPI_INT, (rank + 1) % size, 0, //~ MUST invalid-buffer
                 &x, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
