/* Long options: one sets a flag by itself, the other takes a number. Both are the same on all ranks.
 */
/* expect:
 *   trace: no, without arguments there is no barrier
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat (code at FunctionRef { unit: 0, function: FunctionId(0) } 1(argument 1 after getopt_long(getopt_long(argc, command line, 0, "n:", content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), 0, Options, content(undefined bytes, 0, 4, 1))), content(undefined bytes, 0, 4, argc), content(undefined bytes, 0, 8, address of ObjectId(0)), content(undefined bytes, 0, 4, getopt_long(argc, command line, 0, "n:", content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), 0, Options, content(undefined bytes, 0, 4, 1))), content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), content(undefined bytes, 0, 8, history after(getopt_long(argc, command line, 0, "n:", content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), 0, Options, content(undefined bytes, 0, 4, 1)))), content(undefined bytes, 0, 8, Texts), content(undefined bytes, 0, 4, optind(getopt_long(argc, command line, 0, "n:", content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), 0, Options, content(undefined bytes, 0, 4, 1)))), content(undefined bytes, 0, 8, string of optarg(getopt_long(argc, command line, 0, "n:", content(zero bytes, 0, 8, "meet", 8, 4, 0, 16, 8, address of ObjectId(12), 24, 4, 1, 32, 8, "laps", 40, 4, 1, 48, 8, 0, 56, 4, 110, 64, 8, 0, 72, 4, 0, 80, 8, 0, 88, 4, 0), 0, Options, content(undefined bytes, 0, 4, 1))))) ObjectId(6) at 0 after code content(undefined bytes, 0, 4, 2))
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
