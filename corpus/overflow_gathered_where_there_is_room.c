/* The root alone has room for two numbers of each process, and needs no more.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, mine[2] = {1, 2};
    int *all = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        all = malloc(2 * size * sizeof *all);
    MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
    free(all);
    all = malloc(size * sizeof *all);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    free(all);
    MPI_Finalize();
    return 0;
}
