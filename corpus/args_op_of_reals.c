/* Bits of floating-point numbers cannot be combined.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double mask = 1, all;

    MPI_Init(&argc, &argv);
    MPI_Allreduce(&mask, &all, 1, MPI_DOUBLE, MPI_BOR, MPI_COMM_WORLD); //~ MUST invalid-op
    MPI_Finalize();
    return 0;
}
