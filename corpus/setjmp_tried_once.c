/* The place is noted, but nobody jumps there: setjmp returns 0, once. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: nobody jumps back to a place that `setjmp` notes
 *   channel: MPI_Sendrecv line +14 -> MPI_Sendrecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 8, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +14 -> MPI_Sendrecv line +14
 */
#include <mpi.h>
#include <setjmp.h>

static jmp_buf place;

int main(int argc, char **argv)
{
    int rank, size, mine, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank;
    if (setjmp(place) == 0)
        MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 8, &theirs, 1, MPI_INT, (rank + size - 1) % size, 8,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
