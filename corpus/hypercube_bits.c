/* Groups of eight ranks each agree on a sum: in each round a rank meets the one whose number differs in one bit.
 */
/* expect:
 *   np: 8, 16
 *   verdict: exact for any np >= 8 with np % 8 = 0
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {2*i + j: i in [0..4*(np / 8)-1], j in [0..1]} to 2*i + (1 - j)
 *     receivers {2*i + j: i in [0..4*(np / 8)-1], j in [0..1]} from 2*i + (1 - j)
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {2*(2*i + j) + k: i in [0..2*(np / 8)-1], j in [0..1], k in [0..1]} to 2*(2*i + (1 - j)) + k
 *     receivers {2*(2*i + j) + k: i in [0..2*(np / 8)-1], j in [0..1], k in [0..1]} from 2*(2*i + (1 - j)) + k
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {4*(2*i + j) + k: i in [0..(np / 8)-1], j in [0..1], k in [0..3]} to 4*(2*i + (1 - j)) + k
 *     receivers {4*(2*i + j) + k: i in [0..(np / 8)-1], j in [0..1], k in [0..3]} from 4*(2*i + (1 - j)) + k
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, sum, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % 8 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    sum = rank;
    for (int bit = 1; bit < 8; bit *= 2) {
        MPI_Sendrecv(&sum, 1, MPI_INT, rank ^ bit, bit, &theirs, 1, MPI_INT, rank ^ bit, bit, //@ meet
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += theirs;
    }
    MPI_Finalize();
    return 0;
}
