/* A time-step loop with a constant bound: shift, compute, and every tenth step a sum for the log.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 30
 *   collective: MPI_Reduce @log, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 30

int main(int argc, char **argv)
{
    int rank, np;
    double mine, theirs, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % np, 0, &theirs, 1, MPI_DOUBLE, (rank + np - 1) % np, 0, //@ pass
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine = 0.5 * (mine + theirs);
        if (step % 10 == 0) {
            MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);                               //@ log
            if (rank == 0)
                printf("step %d: %g\n", step, total);
        }
    }

    MPI_Finalize();
    return 0;
}
