/* Nobody has a place for what is gathered, not even the root. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +10, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, *all = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: NULL at the root
    MPI_Finalize();
    return 0;
}
