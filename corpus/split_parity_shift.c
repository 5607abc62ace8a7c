/* Even and odd ranks each shift a number along a line of their own: in MPI_COMM_WORLD every second rank is skipped.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [2*(np / 2)-2..2*(np / 2)-2] for odd np >= 3 to 2*(np / 2)
 *     receivers [2*(np / 2)..2*(np / 2)] for odd np >= 3 from 2*(np / 2) - 2
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [1..2*(np / 2)-3] step 2 to rank + 2
 *     receivers [3..2*(np / 2)-1] step 2 from rank - 2
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [0..2*(np / 2)-4] step 2 for odd np >= 3 to rank + 2
 *     receivers [2..2*(np / 2)-2] step 2 for odd np >= 3 from rank - 2
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [0..2*(np / 2)-4] step 2 for even np >= 4 to rank + 2
 *     receivers [2..2*(np / 2)-2] step 2 for even np >= 4 from rank - 2
 *     1 MPI_FLOAT, tag 5, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 *   pattern: shift of @pass -> @take
 *   pattern: shift of @pass -> @take
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
