/* A communicator of all processes in the opposite order: the key counts down, so rank r becomes np - 1 - r.
 *
 * A shift upwards in the new communicator is a shift downwards in MPI_COMM_WORLD.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, me, seen = -1;
    MPI_Comm reversed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_split(MPI_COMM_WORLD, 0, np - rank, &reversed);                                 //@ split
    MPI_Comm_rank(reversed, &me);

    int next = me < np - 1 ? me + 1 : MPI_PROC_NULL;
    int previous = me > 0 ? me - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &seen, 1, MPI_INT, previous, 0, reversed,       //@ pass
                 MPI_STATUS_IGNORE);

    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
