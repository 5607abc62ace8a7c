/* An empty message goes around the ring until it has been with all: after that, all know that all have come. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace line +14 -> MPI_Sendrecv_replace line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     0 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat np - 1
 *   pattern: ring of MPI_Sendrecv_replace line +14 -> MPI_Sendrecv_replace line +14
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    char nothing;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int step = 1; step < np; step++)
        MPI_Sendrecv_replace(&nothing, 0, MPI_CHAR, (rank + 1) % np, 0, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, //~ NOTE use-collective: MPI_Barrier
                             MPI_STATUS_IGNORE);
    printf("rank %d\n", rank);

    MPI_Finalize();
    return 0;
}
