/* Both the program and its library initialise MPI.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void library_begins(int *argc, char ***argv)
{
    MPI_Init(argc, argv); //~ MUST double-init
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library_begins(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
