/* All ranks but 0 are workers with a communicator of their own, on which they reduce; their first reports to rank 0.
 *
 * The workers' rank 0 is rank 1 of MPI_COMM_WORLD. With one process there are no workers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @report -> @report-in
 *     senders [1..1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce @reduce, root 0, ranks [1..np-1] for np >= 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, me, sum = 0;
    MPI_Comm workers;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int colour = 1;
    if (rank == 0)
        colour = MPI_UNDEFINED;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &workers);                              //@ split

    if (rank == 0) {
        if (np > 1)
            MPI_Recv(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ report-in
        printf("sum of the workers: %d\n", sum);
    } else {
        MPI_Comm_rank(workers, &me);
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, workers);                        //@ reduce
        if (me == 0)
            MPI_Send(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                            //@ report
        MPI_Comm_free(&workers);
    }

    MPI_Finalize();
    return 0;
}
