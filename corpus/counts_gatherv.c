/* Ranks have different amounts, and the root knows them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +18: not all lengths in the lists of `MPI_Gatherv` are compared
 *   collective: MPI_Gatherv line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *starts = malloc(size * sizeof(int)), total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        starts[i] = total;
        total += counts[i];
    }
    int *mine = calloc(rank + 1, sizeof(int)), *all = calloc(total, sizeof(int));
    MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, starts, MPI_INT, 0, MPI_COMM_WORLD);
    free(counts);
    free(starts);
    free(mine);
    free(all);
    MPI_Finalize();
    return 0;
}
