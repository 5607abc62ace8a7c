/* An allgather by recursive doubling: what a rank has doubles in each round, and so does what it gives to its partner.
 */
/* expect:
 *   np: 1, 2, 4, 8, 16
 *   verdict: exact for np = 1, 2, 4, ..., 2^30
 *   assuming: there are no more than 1073741824 processes
 *   channel: MPI_Sendrecv @share -> MPI_Sendrecv @share
 *     senders {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 to 2*i + (1 - j)
 *     receivers {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 from 2*i + (1 - j)
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @share -> MPI_Sendrecv @share
 *     senders {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 to m*(2*i + (1 - j)) + k
 *     receivers {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 from m*(2*i + (1 - j)) + k
 *     m MPI_INT, tag m, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @share -> MPI_Sendrecv @share
 *     senders {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 to 536870912*(1 - i) + j
 *     receivers {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 from 536870912*(1 - i) + j
 *     536870912 MPI_INT, tag 536870912, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @share -> MPI_Sendrecv @share
 *     senders {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 to m*(1 - i) + j
 *     receivers {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 from m*(1 - i) + j
 *     m MPI_INT, tag m, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @share -> MPI_Sendrecv @share
 *     senders [0..1] for np = 2 to 1 - rank
 *     receivers [0..1] for np = 2 from 1 - rank
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Sendrecv @share -> MPI_Sendrecv @share
 *   pattern: mirror of MPI_Sendrecv @share -> MPI_Sendrecv @share
 *   pattern: mirror of MPI_Sendrecv @share -> MPI_Sendrecv @share
 *   pattern: mirror of MPI_Sendrecv @share -> MPI_Sendrecv @share
 *   pattern: mirror of MPI_Sendrecv @share -> MPI_Sendrecv @share
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    assert((np & (np - 1)) == 0);

    int *all = malloc(np * sizeof *all);
    all[rank] = rank;
    for (int have = 1; have < np; have *= 2) {
        int partner = rank ^ have;
        int mine = rank / have * have, theirs = partner / have * have;
        MPI_Sendrecv(all + mine, have, MPI_INT, partner, have, all + theirs, have, MPI_INT, partner, have, //@ share //~ NOTE use-collective: MPI_Allgather
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    free(all);
    MPI_Finalize();
    return 0;
}
