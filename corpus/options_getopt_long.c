/* Long options: one sets a flag by itself, the other takes a number. Both are the same on all ranks.
 */
/* expect:
 *   trace: no, without arguments there is no barrier
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <getopt.h>
#include <mpi.h>
#include <stdlib.h>

static int meet;

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    static const struct option known[] = {
        { "meet", no_argument, &meet, 1 },
        { "laps", required_argument, NULL, 'n' },
        { NULL, 0, NULL, 0 },
    };
    int laps = 2, option;

    while ((option = getopt_long(argc, argv, "n:", known, NULL)) != -1)
        if (option == 'n')
            laps = atoi(optarg);
    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);
    if (meet)
        MPI_Barrier(MPI_COMM_WORLD);    //@ meet

    MPI_Finalize();
    return 0;
}
