/* A library that initialises MPI only where nobody has done so.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void library_begins(int *argc, char ***argv)
{
    int is_there;

    MPI_Initialized(&is_there);
    if (!is_there)
        MPI_Init(argc, argv);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library_begins(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
