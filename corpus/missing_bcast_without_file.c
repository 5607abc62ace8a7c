/* The root leaves where there is no input, and tells nobody: all others wait for what it has read. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: files that several ranks use are the same on every rank
 *   collective: MPI_Bcast line +21, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, steps = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *input = fopen("steps.txt", "r");
        if (input == NULL) {
            fprintf(stderr, "no steps.txt\n");
            MPI_Finalize();
            return 1;
        }
        if (fscanf(input, "%d", &steps) != 1)
            steps = 10;
        fclose(input);
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST missing-collective
    MPI_Finalize();
    return 0;
}
