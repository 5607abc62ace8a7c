/* Fig. 1 of the paper: the communication of the molecular dynamics code mdcask.
 *
 * Every worker reports to the root, then the root exchanges one message with each worker in turn: a gather followed by an
 * exchange with the root.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @report -> @gather
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
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
        double energy = 0.0, part, step = 0.5;

        for (int proc = 1; proc < np; proc++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, proc, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ gather //~ NOTE use-collective: MPI_Reduce
            energy += part;
        }
        for (int proc = 1; proc < np; proc++) {
            MPI_Send(&step, 1, MPI_DOUBLE, proc, 2, MPI_COMM_WORLD);                    //@ ask //~ NOTE use-collective: MPI_Bcast
            MPI_Recv(&part, 1, MPI_DOUBLE, proc, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
            energy += part;
        }
        printf("energy %g\n", energy);
    } else {
        double mine = rank, step;

        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);                    //@ report
        MPI_Recv(&step, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
        mine *= step;
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);                    //@ answer
    }

    MPI_Finalize();
    return 0;
}
