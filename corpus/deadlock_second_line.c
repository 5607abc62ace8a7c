/* Rank 0 skips the first line of a file before all ranks read the next one: they see different lines.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: files that several ranks use are the same on every rank
 *   collective: MPI_Barrier line +25, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    char line[128] = "0";
    FILE *file = fopen("no-such.conf", "r");

    if (file != NULL) {
        if (rank == 0 && fgets(line, sizeof line, file) == NULL)
            line[0] = 0;
        if (fgets(line, sizeof line, file) == NULL)
            line[0] = 0;
        fclose(file);
    }
    x += rank;
    if (atoi(line) > 0)
        MPI_Barrier(MPI_COMM_WORLD);    //~ MUST missing-collective

    MPI_Finalize();
    return 0;
}
