/* All processes exchange numbers within one array: what they get lies where what they give lies, as one list says both.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +17: not all lengths in the lists of `MPI_Alltoallv` are compared
 *   collective: MPI_Alltoallv line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, *numbers, *counts, *places;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    numbers = calloc(np, sizeof(int));
    counts = malloc(np * sizeof(int));
    places = malloc(np * sizeof(int));
    for (int i = 0; i < np; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    MPI_Alltoallv(numbers, counts, places, MPI_INT, numbers, counts, places, MPI_INT, MPI_COMM_WORLD); //~ MUST buffer-alias: MPI_IN_PLACE is for that

    free(numbers);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
