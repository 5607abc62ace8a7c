/* Two halves joined by an intercommunicator: rank i of the lower half sends to rank i of the upper half.
 *
 * With an odd number of processes the upper half has one more, which receives nothing.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: @give -> @take
 *     senders [0..(np / 2)-1] to rank + (np / 2)
 *     receivers [(np / 2)..2*(np / 2)-1] from rank - (np / 2)
 *     1 MPI_DOUBLE, tag 0, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @bridge, ranks [0..(np / 2)-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @bridge, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, me, others;
    double x = 0.5;
    MPI_Comm half, bridge;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int lower = np / 2;
    int upper = rank >= lower;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);                                                 //@ split
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : lower, 12, &bridge);                      //@ bridge
    MPI_Comm_rank(bridge, &me);
    MPI_Comm_remote_size(bridge, &others);

    if (!upper)
        MPI_Send(&x, 1, MPI_DOUBLE, me, 0, bridge);                                                     //@ give
    else if (me < others)
        MPI_Recv(&x, 1, MPI_DOUBLE, me, 0, bridge, MPI_STATUS_IGNORE);                                  //@ take

    MPI_Comm_free(&bridge);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
