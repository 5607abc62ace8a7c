/* The first rank meets the last, the second the last but one, and so on; the rank in the middle meets itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..np-1] to np - rank - 1
 *     receivers [0..np-1] from np - rank - 1
 *     2 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    int out[2], in[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int opposite = np - 1 - rank;
    out[0] = rank;
    out[1] = opposite;
    MPI_Sendrecv(out, 2, MPI_INT, opposite, 0, in, 2, MPI_INT, opposite, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ meet

    MPI_Finalize();
    return in[0] != out[1];
}
