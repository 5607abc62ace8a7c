/* Even ranks exchange a number with the odd rank above them.
 *
 * Which ranks are even is beyond ranges of ranks: today this is explored for a few process counts only, and the verdict says so.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +13: whether `MPI_Send` in @up is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   channel: @up -> @taken
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @up -> @taken
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @down -> @back
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @down -> @back
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    if (rank % 2 == 0) {
        if (rank + 1 < np) {
            MPI_Send(&mine, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                        //@ up
            MPI_Recv(&theirs, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ back
        }
    } else {
        MPI_Recv(&theirs, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ taken
        MPI_Send(&mine, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);                            //@ down
    }
    printf("rank %d met %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
