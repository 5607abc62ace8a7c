/* Off the root the receive buffer is not looked at, in no round of the loop: to name the same memory twice is right there.
 *
 * Right; near-miss of buffer-alias.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +11 line +9, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Gather line +11, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>
#include <stdlib.h>

static void collect(int rank, double *field, int rounds)
{
    int round = 0;
    while (round < rounds) {
        if (rank != 0)
            MPI_Gather(field, 2, MPI_DOUBLE, field, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        else
            MPI_Gather(MPI_IN_PLACE, 2, MPI_DOUBLE, field, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        round++;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    double *field;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field = calloc(2 * (size_t)size, sizeof *field);
    collect(rank, field, 3);
    free(field);
    MPI_Finalize();
    return 0;
}
