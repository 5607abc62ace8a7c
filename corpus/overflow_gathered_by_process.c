/* Each process gives two numbers, the root has room for one of each. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +12: buffer-overflow
 *   collective: MPI_Gather line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, mine[2] = {1, 2};
    int *all;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = malloc(size * sizeof *all);
    MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow
    free(all);
    MPI_Finalize();
    return 0;
}
