/* The root sends the width of each step, as often as the command line says; each time it is one broadcast.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @give -> @take
 *     senders [0..0] for np >= 2 to each of [1..np-1]
 *     receivers [1..np-1] for np >= 2 from 0
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, steps = 1 < argc ? atoi(argv[1]) : 7;
    long width = 1000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int step = 0; step < steps; step++) {
        if (rank == 0) {
            width = width / 3 + step;
            for (int to = 1; to < np; to++)
                MPI_Send(&width, 1, MPI_LONG, to, 0, MPI_COMM_WORLD); //@ give //~ NOTE use-collective: MPI_Bcast
        } else {
            MPI_Recv(&width, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        }
    }

    printf("rank %d: %ld\n", rank, width);
    MPI_Finalize();
    return 0;
}
