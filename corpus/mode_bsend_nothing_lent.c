/* Buffered sends without memory for them.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: MPI_Bsend line +11 -> line +12
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Bsend line +11 -> line +12
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    MPI_Bsend(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: MPI_Bsend has no memory to copy to
    MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return theirs < 0;
}
