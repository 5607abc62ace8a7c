/* A program whose option parser ends it by exit(0) before MPI starts, and by exit(0) after it ended when there is no work.
 *
 * Every process sees the same arguments, so all of them leave or none does.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +10: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: @pass -> @take
 *     senders [0..np-2] for np >= 2 to rank + 1
 *     receivers [1..np-1] for np >= 2 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int work = 1;

static void parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            printf("usage: %s [--help] [--nothing]\n", argv[0]);
            exit(0);
        }
        if (strcmp(argv[i], "--nothing") == 0)
            work = 0;
    }
}

static void leave(void)
{
    MPI_Finalize();
    exit(0);
}

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    parse(argc, argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (!work)
        leave();

    if (rank < np - 1)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                              //@ pass
    if (rank > 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ take
    leave();
}
