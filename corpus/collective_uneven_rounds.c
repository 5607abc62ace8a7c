/* Every rank makes as many rounds as it has rows, and meets the others in each: those with fewer rows are missed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int rows = rank + 1;
    for (int row = 0; row < rows; row++)
        MPI_Barrier(MPI_COMM_WORLD);                //~ MUST missing-collective

    MPI_Finalize();
    return 0;
}
