/* The exchange of mdcask with whole numbers: every worker reports, then the root asks one worker after the other and waits for
 * its answer each time. What it asks is the same for all, so that it may be said to all at once: three collective operations,
 * the third of which shows when the second is there.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @report -> @gather
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @ask -> @asked
 *   pattern: gather of @report -> @gather
 *   pattern: gather of @answer -> @answered
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        long energy = 0, part, step = 5;

        for (int proc = 1; proc < np; proc++) {
            MPI_Recv(&part, 1, MPI_LONG, proc, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ gather //~ NOTE use-collective: MPI_Reduce
            energy += part;
        }
        for (int proc = 1; proc < np; proc++) {
            MPI_Send(&step, 1, MPI_LONG, proc, 2, MPI_COMM_WORLD);                    //@ ask //~ NOTE use-collective: MPI_Bcast
            MPI_Recv(&part, 1, MPI_LONG, proc, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
            energy += part;
        }
        printf("energy %ld\n", energy);
    } else {
        long mine = rank, step;

        MPI_Send(&mine, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD);                    //@ report
        MPI_Recv(&step, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
        mine *= step;
        MPI_Send(&mine, 1, MPI_LONG, 0, 3, MPI_COMM_WORLD);                    //@ answer
    }

    MPI_Finalize();
    return 0;
}
