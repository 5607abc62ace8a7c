/* Who talks to whom is set up before MPI is initialised.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +16, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static int neighbour(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank); //~ MUST missing-init
    return rank + 1;
}

int main(int argc, char **argv)
{
    int next = neighbour();

    MPI_Init(&argc, &argv);
    MPI_Bcast(&next, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
