/* The most bits of any process, known to all by recursive doubling; the number of processes has to be a power of two. */
/* expect:
 *   np: 1, 2, 4, 8, 16
 *   verdict: exact for np = 1, 2, 4, ..., 2^30
 *   assuming: there are no more than 1073741824 processes
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 to 2*i + (1 - j)
 *     receivers {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 from 2*i + (1 - j)
 *     4 MPI_UNSIGNED, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 to m*(2*i + (1 - j)) + k
 *     receivers {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 from m*(2*i + (1 - j)) + k
 *     4 MPI_UNSIGNED, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 to 536870912*(1 - i) + j
 *     receivers {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 from 536870912*(1 - i) + j
 *     4 MPI_UNSIGNED, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 to m*(1 - i) + j
 *     receivers {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 from m*(1 - i) + j
 *     4 MPI_UNSIGNED, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..1] for np = 2 to 1 - rank
 *     receivers [0..1] for np = 2 from 1 - rank
 *     4 MPI_UNSIGNED, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    unsigned seen[4], theirs[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if ((np & (np - 1)) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    for (int k = 0; k < 4; k++)
        seen[k] = 1u << (rank + k) % 7;
    for (int mask = 1; mask < np; mask <<= 1) {
        int partner = rank ^ mask;

        MPI_Sendrecv(seen, 4, MPI_UNSIGNED, partner, 0, theirs, 4, MPI_UNSIGNED, partner, 0, MPI_COMM_WORLD, //@ meet //~ NOTE use-collective: MPI_Allreduce
                     MPI_STATUS_IGNORE);
        for (int k = 0; k < 4; k++)
            seen[k] |= theirs[k];
    }
    printf("%d: %u %u %u %u\n", rank, seen[0], seen[1], seen[2], seen[3]);

    MPI_Finalize();
    return 0;
}
