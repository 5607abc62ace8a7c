/* The processes are split into a lower and an upper half, and each half has a ring of its own.
 *
 * Neighbours are ranks of the half; with an odd number of processes the upper half has one more.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [(np / 2)-1..(np / 2)-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from (np / 2) - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [np-1..np-1] for np >= 2 to (np / 2)
 *     receivers [(np / 2)..(np / 2)] for np >= 2 from np - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..(np / 2)-2] to rank + 1
 *     receivers [1..(np / 2)-1] from rank - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [(np / 2)..np-2] to rank + 1
 *     receivers [(np / 2)+1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, me, size, theirs;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int colour = rank < np / 2 ? 0 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &half);                                    //@ split
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);

    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % size, 0, &theirs, 1, MPI_INT, (me + size - 1) % size, 0, half, //@ pass
                 MPI_STATUS_IGNORE);

    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
