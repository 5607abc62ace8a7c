/* What comes from the left goes back to the left, changed: the second message has what the first has brought.
 * Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: ring of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, periodic = 1, left, right, mine, theirs = -1, back = -1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    mine = rank;

    MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &theirs, 1, MPI_INT, left, 0, ring, MPI_STATUS_IGNORE); //@ on
    theirs = 2 * theirs + 1;
    MPI_Sendrecv(&theirs, 1, MPI_INT, left, 1, &back, 1, MPI_INT, right, 1, ring, MPI_STATUS_IGNORE); //@ back
    if (back != 2 * rank + 1)
        printf("rank %d: %d\n", rank, back);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
