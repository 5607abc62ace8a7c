/* Two halves that are connected are split again, in the opposite order: the last of each half is the first there, and speaks to the other.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: @tell -> @hear
 *     senders [np-1..np-1] to (np / 2) - 1
 *     receivers [(np / 2)-1..(np / 2)-1] from np - 1
 *     1 MPI_INT, tag 1, split of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @halves, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [0..(np / 2)-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @reverse, ranks [0..(np / 2)-1] and [(np / 2)..np-1], intercommunicator of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, own, x = 0;
    MPI_Comm half, both, again;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int right = rank >= np / 2;
    MPI_Comm_split(MPI_COMM_WORLD, right, rank, &half);                            //@ halves
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : np / 2, 3, &both);   //@ connect
    MPI_Comm_rank(both, &own);
    MPI_Comm_split(both, 7, -own, &again);                                         //@ reverse
    MPI_Comm_rank(again, &own);
    if (own == 0 && right)
        MPI_Send(&rank, 1, MPI_INT, 0, 1, again);                                  //@ tell
    if (own == 0 && !right) {
        MPI_Recv(&x, 1, MPI_INT, 0, 1, again, MPI_STATUS_IGNORE);                  //@ hear
        printf("the last one is %d\n", x);
    }
    MPI_Comm_free(&again);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
