/* Neighbours in pairs, found by flipping the lowest bit of the rank: 0 with 1, 2 with 3, and so on.
 *
 * With an odd number of processes the last one has no partner.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +13: whether `MPI_Sendrecv` in @meet is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int partner = rank ^ 1;
    if (partner < np)
        MPI_Sendrecv(&rank, 1, MPI_INT, partner, 0, &theirs, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, //@ meet
                     MPI_STATUS_IGNORE);
    printf("rank %d met %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
