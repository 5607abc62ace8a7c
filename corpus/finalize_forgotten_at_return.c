/* One way out of the program does not end MPI.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +11, ranks [0..np-1] for np = 1..64, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 64)
        return 0; //~ MUST missing-finalize
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
