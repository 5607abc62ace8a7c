/* Even and odd ranks each shift a number along a line of their own: in MPI_COMM_WORLD every second rank is skipped.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @split: the colour of a split is not known
 *   because: the channels shown are those of np = 5
 *   channel: @pass -> @take
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [1..1] to 3
 *     receivers [3..3] from 1
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [2..2] to 4
 *     receivers [4..4] from 2
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, size;
    float below = 0.0f, mine;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0, rank, &comm);                         //@ split
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);

    mine = rank;
    if (me > 0)
        MPI_Recv(&below, 1, MPI_FLOAT, me - 1, 5, comm, MPI_STATUS_IGNORE);             //@ take
    if (me < size - 1)
        MPI_Send(&mine, 1, MPI_FLOAT, me + 1, 5, comm);                                 //@ pass

    MPI_Comm_free(&comm);
    MPI_Finalize();
    return below < 0;
}
