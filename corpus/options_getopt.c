/* Options are parsed with getopt: how often a message goes round a ring, and whether all ranks meet at the end.
 *
 * All ranks see the same command line, so they parse it alike.
 */
/* expect:
 *   trace: no, without arguments there is no barrier
 *   verdict: exact for any np >= 1
 *   assuming: line +28: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int laps = 2, meet = 0, option;

    while ((option = getopt(argc, argv, "n:mh")) != -1) {
        switch (option) {
        case 'n':
            laps = atoi(optarg);
            break;
        case 'm':
            meet = 1;
            break;
        default:
            if (rank == 0)
                fprintf(stderr, "usage: %s [-n laps] [-m]\n", argv[0]);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);
    if (meet)
        MPI_Barrier(MPI_COMM_WORLD);    //@ meet

    MPI_Finalize();
    return 0;
}
