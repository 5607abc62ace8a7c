/* A ring whose ends are joined by comparisons, not by a modulus.
 *
 * The sends are nonblocking, so the ring turns whatever the implementation buffers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @pass -> @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int next = rank + 1;
    int previous = rank - 1;
    if (next == np)
        next = 0;
    if (previous < 0)
        previous = np - 1;

    mine = 10 * rank;
    MPI_Isend(&mine, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);                //@ pass
    MPI_Recv(&theirs, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ take
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("rank %d has %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
