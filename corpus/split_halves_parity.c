/* Halves, and in each of them those of even and of odd rank: a ring within each of the four. */
/* expect:
 *   verdict: bounded to 2..5
 *   because: the general answer differs from the exploration of np = 2
 *   because: the general answer differs from the exploration of np = 3
 *   because: the general answer differs from the exploration of np = 4
 *   because: the general answer differs from the exploration of np = 5
 *   because: the general answer differs from the exploration of np = 6
 *   because: the general answer differs from the exploration of np = 7
 *   because: the general answer differs from the exploration of np = 8
 *   because: the general answer differs from the exploration of np = 9
 *   because: the general answer differs from the exploration of np = 10
 *   because: the general answer differs from the exploration of np = 11
 *   because: the general answer differs from the exploration of np = 12
 *   because: the general answer differs from the exploration of np = 13
 *   because: the general answer differs from the exploration of np = 14
 *   because: the general answer differs from the exploration of np = 15
 *   because: the general answer differs from the exploration of np = 16
 *   because: the general answer differs from the exploration of np = 17
 *   because: the general answer differs from the exploration of np = 18
 *   because: the general answer differs from the exploration of np = 19
 *   because: the general answer differs from the exploration of np = 20
 *   because: the general answer differs from the exploration of np = 21
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] to 0
 *     receivers [0..0] from 0
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..1] to 1
 *     receivers [1..1] from 1
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [4..4] to 2
 *     receivers [2..2] from 4
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [2..2] to 4
 *     receivers [4..4] from 2
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [3..3] to 3
 *     receivers [3..3] from 3
 *     1 MPI_INT, tag 0, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @halves, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @quarters, ranks [0..1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [0..0], split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [1..1], split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @quarters, ranks [2..4], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [2..4] step 2, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [3..3], split of split of MPI_COMM_WORLD, repeat 1
 *   fact: line +21 printf on [0..0]: rank = 0, before = 0
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
