/* What each rank sends is no longer what it receives of each.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allgather line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long *all = calloc(size, sizeof(long));
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_LONG, MPI_COMM_WORLD); //~ MUST datatype-mismatch
    free(all);
    MPI_Finalize();
    return 0;
}
