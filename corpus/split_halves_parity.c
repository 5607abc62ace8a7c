/* Halves, and in each of them those of even and of odd rank: a ring within each of the four. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)..2*((np / 2) / 2)] for np >= 6 with np % 4 = 2..3 to 0
 *     receivers [0..0] for np >= 6 with np % 4 = 2..3 from 2*((np / 2) / 2)
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)-1..2*((np / 2) / 2)-1] for np >= 4 to 1
 *     receivers [1..1] for np >= 4 from 2*((np / 2) / 2) - 1
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*(np / 2)-1..2*(np / 2)-1] for np >= 4 to 2*((np / 2) / 2) + 1
 *     receivers [2*((np / 2) / 2)+1..2*((np / 2) / 2)+1] for np >= 4 from 2*(np / 2) - 1
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*(np / 2)..2*(np / 2)] for np >= 7 with np % 4 = 3 to 2*((np / 2) / 2) + 2
 *     receivers [2*((np / 2) / 2)+2..2*((np / 2) / 2)+2] for np >= 7 with np % 4 = 3 from 2*(np / 2)
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)+2..2*(np / 2)-2] step 2 for np >= 7 with np % 4 = 3 to rank + 2
 *     receivers [2*((np / 2) / 2)+4..2*(np / 2)] step 2 for np >= 7 with np % 4 = 3 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)+1..2*(np / 2)-3] step 2 for np >= 4 to rank + 2
 *     receivers [2*((np / 2) / 2)+3..2*(np / 2)-1] step 2 for np >= 4 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..2*((np / 2) / 2)-3] step 2 for np >= 4 to rank + 2
 *     receivers [3..2*((np / 2) / 2)-1] step 2 for np >= 4 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..2*((np / 2) / 2)-2] step 2 for np >= 6 with np % 4 = 2..3 to rank + 2
 *     receivers [2..2*((np / 2) / 2)] step 2 for np >= 6 with np % 4 = 2..3 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*(np / 2)-2..2*(np / 2)-2] for np >= 6 with np % 4 = 2 to 2*((np / 2) / 2) + 2
 *     receivers [2*((np / 2) / 2)+2..2*((np / 2) / 2)+2] for np >= 6 with np % 4 = 2 from 2*(np / 2) - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)+2..2*(np / 2)-4] step 2 for np >= 6 with np % 4 = 2 to rank + 2
 *     receivers [2*((np / 2) / 2)+4..2*(np / 2)-2] step 2 for np >= 6 with np % 4 = 2 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)-2..2*((np / 2) / 2)-2] for np >= 4 with np % 4 = 0..1 to 0
 *     receivers [0..0] for np >= 4 with np % 4 = 0..1 from 2*((np / 2) / 2) - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*(np / 2)..2*(np / 2)] for np >= 5 with np % 4 = 1 to 2*((np / 2) / 2)
 *     receivers [2*((np / 2) / 2)..2*((np / 2) / 2)] for np >= 5 with np % 4 = 1 from 2*(np / 2)
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)..2*(np / 2)-2] step 2 for np >= 5 with np % 4 = 1 to rank + 2
 *     receivers [2*((np / 2) / 2)+2..2*(np / 2)] step 2 for np >= 5 with np % 4 = 1 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..2*((np / 2) / 2)-4] step 2 for np >= 4 with np % 4 = 0..1 to rank + 2
 *     receivers [2..2*((np / 2) / 2)-2] step 2 for np >= 4 with np % 4 = 0..1 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*(np / 2)-2..2*(np / 2)-2] for np >= 4 with np % 4 = 0 to 2*((np / 2) / 2)
 *     receivers [2*((np / 2) / 2)..2*((np / 2) / 2)] for np >= 4 with np % 4 = 0 from 2*(np / 2) - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2*((np / 2) / 2)..2*(np / 2)-4] step 2 for np >= 4 with np % 4 = 0 to rank + 2
 *     receivers [2*((np / 2) / 2)+2..2*(np / 2)-2] step 2 for np >= 4 with np % 4 = 0 from rank - 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] for np = 1..3 to 0
 *     receivers [0..0] for np = 1..3 from 0
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..1] for np = 2..3 to 1
 *     receivers [1..1] for np = 2..3 from 1
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2..2] for np = 3 to 2
 *     receivers [2..2] for np = 3 from 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @halves, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @quarters, ranks [0..(np / 2)-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @quarters, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [0..2*((np / 2) / 2)] step 2 for np >= 6 with np % 4 = 2..3, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [1..2*((np / 2) / 2)-1] step 2 for np >= 6, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2*((np / 2) / 2)+1..2*(np / 2)-1] step 2 for np >= 6, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2*((np / 2) / 2)+2..2*(np / 2)] step 2 for np >= 7 with np % 4 = 3, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2*((np / 2) / 2)+2..2*(np / 2)-2] step 2 for np >= 6 with np % 4 = 2, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [0..2*((np / 2) / 2)-2] step 2 for np >= 8 with np % 4 = 0..1, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2*((np / 2) / 2)..2*(np / 2)] step 2 for np >= 5 with np % 4 = 1, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2*((np / 2) / 2)..2*(np / 2)-2] step 2 for np >= 8 with np % 4 = 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [0..0] for np = 1..5, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [1..1] for np = 2..5, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [3..3] for np = 4..5, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2..2] for np = 3..4, split of split of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, place, size, sum = 0, before = -1;
    MPI_Comm half, quarter;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_split(MPI_COMM_WORLD, rank < np / 2, rank, &half); //@ halves

    MPI_Comm_rank(half, &place);
    MPI_Comm_split(half, place % 2, place, &quarter); //@ quarters
    MPI_Comm_rank(quarter, &place);
    MPI_Comm_size(quarter, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, quarter); //@ add
    MPI_Sendrecv(&rank, 1, MPI_INT, (place + 1) % size, 0, &before, 1, MPI_INT, (place + size - 1) % size, 0, quarter, //@ pass
                 MPI_STATUS_IGNORE);
    printf("rank %d: %d after %d\n", rank, sum, before);

    MPI_Comm_free(&quarter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
