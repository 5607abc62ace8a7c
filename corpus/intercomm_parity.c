/* Even and odd ranks, an intercommunicator between them whose leaders are the last of each, and a merge with the odd ones first: the
 * first of all is rank 1, the first of those behind them rank 0.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   lengths: not proved, @sum: what `MPI_Allreduce` moves between two groups is not compared
 *   channel: @report -> @hear
 *     senders [1..2*(np / 2)-1] step 2 for np = 2 and odd np >= 3 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 for np = 2 and odd np >= 3 from rank + 1
 *     1 MPI_INT, tag 4, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   channel: @report -> @hear
 *     senders [1..2*(np / 2)-1] step 2 for even np >= 4 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 for even np >= 4 from rank + 1
 *     1 MPI_INT, tag 4, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   channel: @first -> @behind
 *     senders [1..1] for np = 2 and odd np >= 3 to 0
 *     receivers [0..0] for np = 2 and odd np >= 3 from 1
 *     1 MPI_INT, tag 5, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   channel: @first -> @behind
 *     senders [1..1] for even np >= 4 to 0
 *     receivers [0..0] for even np >= 4 from 1
 *     1 MPI_INT, tag 5, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @evens @odds, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @evens @odds, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..2*(np / 2)] step 2 and [1..2*(np / 2)-1] step 2 for odd np >= 3, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_merge @merge, ranks [0..2*(np / 2)] step 2 and [1..2*(np / 2)-1] step 2 for odd np >= 3, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root (np / 2), ranks [1..2*(np / 2)-1] step 2, then [0..2*(np / 2)] step 2 for odd np >= 3, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @evens @odds, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..2*(np / 2)-2] step 2 and [1..2*(np / 2)-1] step 2 for even np >= 4, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_merge @merge, ranks [0..2*(np / 2)-2] step 2 and [1..2*(np / 2)-1] step 2 for even np >= 4, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root (np / 2), ranks [1..2*(np / 2)-1] step 2, then [0..2*(np / 2)-2] step 2 for even np >= 4, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @evens @odds, ranks [0..0] for np = 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @evens @odds, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..0] and [1..1] for np = 2, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_merge @merge, ranks [0..0] and [1..1] for np = 2, intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 1, ranks [0..1] for np = 2, merge of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @report -> @hear
 *   pattern: shift of @report -> @hear
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, odd, place, others, sum = 0, got = -1;
    MPI_Comm mine, both, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    odd = rank % 2;
    int evens = (np + 1) / 2, odds = np / 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &mine);                                          //@ split
    if (odd)
        MPI_Intercomm_create(mine, odds - 1, MPI_COMM_WORLD, 2 * (evens - 1), 9, &both);    //@ odds
    else
        MPI_Intercomm_create(mine, evens - 1, MPI_COMM_WORLD, 2 * odds - 1, 9, &both);      //@ evens
    MPI_Comm_remote_size(both, &others);

    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both);                                  //@ sum
    MPI_Comm_rank(both, &place);
    if (odd)
        MPI_Send(&rank, 1, MPI_INT, place, 4, both);                                        //@ report
    else if (place < others)
        MPI_Recv(&got, 1, MPI_INT, place, 4, both, MPI_STATUS_IGNORE);                      //@ hear

    MPI_Intercomm_merge(both, !odd, &all);                                                  //@ merge
    MPI_Comm_rank(all, &place);
    if (place == 0)
        MPI_Send(&place, 1, MPI_INT, odds, 5, all);                                         //@ first
    else if (place == odds)
        MPI_Recv(&got, 1, MPI_INT, 0, 5, all, MPI_STATUS_IGNORE);                           //@ behind
    MPI_Bcast(&sum, 1, MPI_INT, odds, all);                                                 //@ spread

    printf("%d %d\n", got, sum);
    MPI_Comm_free(&all);
    MPI_Comm_free(&both);
    MPI_Comm_free(&mine);
    MPI_Finalize();
    return 0;
}
