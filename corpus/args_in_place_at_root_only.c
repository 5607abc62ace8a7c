/* The root reduces in place, the others send from where it receives.
 *
 * Right; near-miss of invalid-buffer.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +12 line +14, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +12, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum = rank;
    if (rank == 0)
        MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(&sum, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
