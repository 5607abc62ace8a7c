/* What a process gives lies behind what it receives, in one piece of memory.
 *
 * Right; near-miss of buffer-alias.
 */
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
    all = calloc(2 * size, sizeof *all);
    all[size + rank] = rank;
    MPI_Allgather(&all[size + rank], 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    free(all);
    MPI_Finalize();
    return 0;
}
