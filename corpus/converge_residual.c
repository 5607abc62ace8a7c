/* A solver that runs until the residual is small or the rounds are used up; all ranks leave the loop in the same round.
 *
 * The neighbours' values are exchanged on a ring, and the residual is the same on all ranks after the reduction.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @agree, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: ring of MPI_Sendrecv @down -> MPI_Sendrecv @down
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
