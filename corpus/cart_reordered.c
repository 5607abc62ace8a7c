/* A ring of processes that MPI may number as it likes: who is next to whom is known by the numbers in the ring only, and the answer says
 * that it takes these for those in MPI_COMM_WORLD.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: @ring: `MPI_Cart_create` leaves the ranks in their order
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @ring, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, before, next, token = 0, periodic = 1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 1, &ring);                                       //@ ring
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &before, &next);

    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &token, 1, MPI_INT, before, 0, ring, MPI_STATUS_IGNORE);   //@ pass

    printf("%d: %d\n", rank, token);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
