/* A solver that runs until the residual is small or the rounds are used up; all ranks leave the loop in the same round.
 *
 * The neighbours' values are exchanged on a ring, and the residual is the same on all ranks after the reduction.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @down: a comparison of ranks has no simple form
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders [1..3] to rank + 1
 *     receivers [2..4] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders [0..0] to 4
 *     receivers [4..4] from 0
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders [3..4] to rank - 1
 *     receivers [2..3] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders [1..4] to rank - 1
 *     receivers [0..3] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @agree, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 */
#include <math.h>
#include <mpi.h>

#define ROUNDS 200

int main(int argc, char **argv)
{
    int rank, np;
    double x, above, below, local, residual;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int next = (rank + 1) % np;
    int previous = (rank + np - 1) % np;

    x = rank;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, next, 0, &below, 1, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD,     //@ up
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&x, 1, MPI_DOUBLE, previous, 1, &above, 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD,     //@ down
                     MPI_STATUS_IGNORE);
        local = fabs(below - 2.0 * x + above);
        x = (below + x + above) / 3.0;
        MPI_Allreduce(&local, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                        //@ agree
        if (residual < 1e-2)
            break;
    }

    MPI_Finalize();
    return 0;
}
