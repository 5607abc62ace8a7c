/* MPI is initialised for each part of the work; it can be only once.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +6, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Init(&argc, &argv); //~ MUST double-init
    MPI_Barrier(MPI_COMM_WORLD); //~ MAY call-after-finalize
    MPI_Finalize();
    return 0;
}
