/* What comes from both sides of a ring is put where a list of addresses says, relative to MPI_BOTTOM: it is not what was there before,
 * and whether the ranks meet once more depends on it. All of them do.
 */
/* expect:
 *   verdict: unknown
 *   because: line +18: whether `MPI_Barrier` in line +19 is reached depends on data that may differ between ranks
 *   channel: MPI_Neighbor_alltoallw @exchange -> MPI_Neighbor_alltoallw @exchange
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoallw @exchange -> MPI_Neighbor_alltoallw @exchange
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoallw @exchange, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Neighbor_alltoallw @exchange -> MPI_Neighbor_alltoallw @exchange
 *   pattern: ring of MPI_Neighbor_alltoallw @exchange -> MPI_Neighbor_alltoallw @exchange
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int np, periodic = 1, one = 1, low = 0, high = 0;
    const int counts[2] = {1, 1};
    const MPI_Aint from[2] = {0, 0};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Aint into[2];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &ring);
    MPI_Get_address(&low, &into[0]);
    MPI_Get_address(&high, &into[1]);
    MPI_Neighbor_alltoallw(&one, counts, from, types, MPI_BOTTOM, counts, into, types, ring); //@ exchange
    if (low + high > 0)
        MPI_Barrier(ring);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
