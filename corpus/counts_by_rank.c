/* Each rank contributes as many numbers as it has: the sum of arrays of different lengths.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +12: count-mismatch
 *   collective: MPI_Allreduce line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *mine = calloc(rank + 1, sizeof(int)), *sum = calloc(rank + 1, sizeof(int));
    MPI_Allreduce(mine, sum, rank + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); //~ MUST count-mismatch
    free(mine);
    free(sum);
    MPI_Finalize();
    return 0;
}
