/* Blocks that all begin at the same place, of a datatype without elements: none is received twice. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +20: not all lengths in the lists of `MPI_Alltoallv` are compared
 *   lengths: not proved, line +21: not all lengths in the lists of `MPI_Alltoallw` are compared
 *   collective: MPI_Alltoallv line +20, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoallw line +21, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, here[1] = {0}, there[1] = {0};
    MPI_Datatype nothing;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    int *counts = malloc(size * sizeof *counts), *places = malloc(size * sizeof *places);
    MPI_Datatype *types = malloc(size * sizeof *types);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        places[i] = 0;
        types[i] = nothing;
    }
    MPI_Alltoallv(here, counts, places, nothing, there, counts, places, nothing, MPI_COMM_WORLD);
    MPI_Alltoallw(here, counts, places, types, there, counts, places, types, MPI_COMM_WORLD);
    free(counts);
    free(places);
    free(types);
    MPI_Type_free(&nothing);
    MPI_Finalize();
    return there[0];
}
