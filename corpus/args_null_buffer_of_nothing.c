/* Nothing is sent from nowhere: with a count of zero no buffer is needed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +11 -> MPI_Sendrecv line +11
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     0 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +11 -> MPI_Sendrecv line +11
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(NULL, 0, MPI_INT, (rank + 1) % size, 0, NULL, 0, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
