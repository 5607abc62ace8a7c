/* Two halves meet in an intercommunicator: each rank exchanges with the one of its own number on the other side, the first rank of
 * the left half tells the right one something, and the halves become one communicator, right half first.
 */
/* expect:
 *   np: 2, 4, 6, 8
 *   trace: no, the tracer names no root of a broadcast between two groups
 *   verdict: exact for any even np >= 2
 *   lengths: not proved, @tell: what `MPI_Bcast` moves between two groups is not compared
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [(np / 2)..np-1] to rank - (np / 2)
 *     receivers [0..np-(np / 2)-1] from rank + (np / 2)
 *     1 MPI_INT, tag 1, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..(np / 2)-1] to rank + (np / 2)
 *     receivers [(np / 2)..2*(np / 2)-1] from rank - (np / 2)
 *     1 MPI_INT, tag 1, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   channel: @first -> @last
 *     senders [(np / 2)..(np / 2)] to (np / 2) - 1
 *     receivers [(np / 2)-1..(np / 2)-1] from (np / 2)
 *     1 MPI_INT, tag 2, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [0..(np / 2)-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @tell @listen, root 0, ranks [0..(np / 2)-1] and [(np / 2)..np-1], intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_merge @merge, ranks [0..(np / 2)-1] and [(np / 2)..np-1], intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs, left, word = 0, place;
    MPI_Comm half, both, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2 || size % 2 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    left = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, left, rank, &half);                                      //@ split
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, left ? size / 2 : 0, 5, &both);           //@ connect

    MPI_Comm_rank(both, &mine);
    theirs = rank;
    MPI_Sendrecv(&rank, 1, MPI_INT, mine, 1, &theirs, 1, MPI_INT, mine, 1, both, MPI_STATUS_IGNORE);   //@ swap
    if (left)
        MPI_Bcast(&word, 1, MPI_INT, mine == 0 ? MPI_ROOT : MPI_PROC_NULL, both);           //@ tell
    else
        MPI_Bcast(&word, 1, MPI_INT, 0, both);                                              //@ listen

    MPI_Intercomm_merge(both, left, &all);                                                  //@ merge
    MPI_Comm_rank(all, &place);
    if (place == 0)
        MPI_Send(&place, 1, MPI_INT, size - 1, 2, all);                                     //@ first
    else if (place == size - 1)
        MPI_Recv(&place, 1, MPI_INT, 0, 2, all, MPI_STATUS_IGNORE);                         //@ last

    printf("%d %d\n", theirs, word);
    MPI_Comm_free(&all);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
