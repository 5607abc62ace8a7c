/* Each process tells all others how long its message will be, then sends it to the left, round the ring. Everybody looks up how long the message is
 * that it gets: it fits, but what the table holds is known only where the number of processes is.
 */
/* expect:
 *   np: 1, 2, 3, 4, 5, 6, 7, 8
 *   verdict: exact for np = 1..8
 *   channel: MPI_Sendrecv @exchange -> MPI_Sendrecv @exchange
 *     senders [0..0] to np - 1
 *     receivers [np-1..np-1] from 0
 *     16 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @exchange -> MPI_Sendrecv @exchange
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     15 - receiver MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather @tell, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @exchange -> MPI_Sendrecv @exchange
 */
#include <mpi.h>

#define MOST 8

int main(int argc, char **argv)
{
    int rank, np, length, lengths[MOST], out[2 * MOST] = {0}, in[2 * MOST];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    length = 2 * MOST - rank;
    MPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);               //@ tell
    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    MPI_Sendrecv(out, length, MPI_INT, left, 3, in, lengths[right], MPI_INT, right, 3,     //@ exchange
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in[0] < 0;
}
