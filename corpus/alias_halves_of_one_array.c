/* The first half is sent, the second one is received: one array, but no byte twice.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +10 -> MPI_Sendrecv line +10
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     4 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +10 -> MPI_Sendrecv line +10
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, list[8] = { 0, 1, 2, 3 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&list[0], 4, MPI_INT, (rank + 1) % size, 0, &list[4], 4, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
