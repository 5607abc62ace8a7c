/* All ranks reduce in place, but only the root has a result to put there. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum = rank;
    MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: ranks other than the root
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
