/* A sum that all ranks know at the end, by recursive doubling: in each round a rank meets the one whose number differs in one bit. That
 * needs a power of two, which the program asks for.
 */
/* expect:
 *   np: 1, 2, 4, 8, 16
 *   verdict: exact for np = 1, 2, 4, ..., 2^30
 *   assuming: there are no more than 1073741824 processes
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 to 2*i + (1 - j)
 *     receivers {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4 from 2*i + (1 - j)
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 to m*(2*i + (1 - j)) + k
 *     receivers {m*(2*i + j) + k: i in [0..(np / (2*m))-1], j in [0..1], k in [0..m-1]} for np >= 4*m, m = 2, 4, 8, ..., 2^28 from m*(2*i + (1 - j)) + k
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 to 536870912*(1 - i) + j
 *     receivers {536870912*i + j: i in [0..1], j in [0..536870911]} for np >= 1073741824 from 536870912*(1 - i) + j
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 to m*(1 - i) + j
 *     receivers {m*i + j: i in [0..1], j in [0..m-1]} for np = 2*m, m = 2, 4, 8, ..., 2^28 from m*(1 - i) + j
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..1] for np = 2 to 1 - rank
 *     receivers [0..1] for np = 2 from 1 - rank
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
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
    double sum, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if ((np & (np - 1)) != 0) {
        if (rank == 0)
            fprintf(stderr, "the number of processes must be a power of two\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    sum = rank;
    for (int mask = 1; mask < np; mask <<= 1) {
        int partner = rank ^ mask;
        MPI_Sendrecv(&sum, 1, MPI_DOUBLE, partner, 0, &theirs, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, //~ NOTE use-collective: MPI_Allreduce
                     MPI_STATUS_IGNORE);                                                                //@ meet
        sum += theirs;
    }

    MPI_Finalize();
    return 0;
}
