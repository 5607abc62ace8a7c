/* Each process gives its block where all blocks are gathered: MPI_IN_PLACE is for that. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allgather line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    int *all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = calloc(size, sizeof *all);
    all[rank] = rank;
    MPI_Allgather(&all[rank], 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD); //~ MUST buffer-alias: MPI_IN_PLACE is for that
    free(all);
    MPI_Finalize();
    return 0;
}
