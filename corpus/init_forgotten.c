/* The rank is asked for before there is MPI.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +11, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    (void)argc;
    (void)argv;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); //~ MUST missing-init
    if (rank == 0)
        MPI_Barrier(MPI_COMM_SELF);
    return 0;
}
