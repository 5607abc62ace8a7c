/* How many words the command line has decides whether there is a barrier: all ranks have to see the same number.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Barrier line +7, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 5)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
