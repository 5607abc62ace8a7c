/* A communicator in the opposite order of MPI_COMM_WORLD, and one made from it with equal keys: these leave its order as it is.
 *
 * The last process is rank 0 of both.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] to each of [0..np-2]
 *     receivers [0..np-2] from np - 1
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @turn, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @keep, ranks [0..np-1], split of MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, me, value = 7;
    MPI_Comm back, again;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Comm_split(MPI_COMM_WORLD, 0, np - rank, &back);                           //@ turn
    MPI_Comm_split(back, 3, 0, &again);                                            //@ keep
    MPI_Comm_rank(again, &me);
    if (me == 0) {
        for (int to = 1; to < np; to++)
            MPI_Send(&value, 1, MPI_INT, to, 0, again);                            //@ give
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, again, MPI_STATUS_IGNORE);              //@ take
    }
    MPI_Comm_free(&again);
    MPI_Comm_free(&back);
    MPI_Finalize();
    return 0;
}
