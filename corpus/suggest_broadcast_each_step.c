/* In each step the root decides on the next width and sends it to every other process: a broadcast, as often as there are steps.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 5
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 5

int main(int argc, char **argv)
{
    int rank, np, worker;
    double width = 1.0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int step = 0; step < STEPS; step++) {
        if (rank == 0) {
            width = width / 2;
            for (worker = 1; worker < np; worker++)
                MPI_Send(&width, 1, MPI_DOUBLE, worker, 3, MPI_COMM_WORLD); //@ give //~ NOTE use-collective: MPI_Bcast
        } else {
            MPI_Recv(&width, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &status); //@ take
        }
    }

    printf("rank %d: %g\n", rank, width);
    MPI_Finalize();
    return 0;
}
