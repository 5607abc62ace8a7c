/* Counters are 64 bits wide, the datatype is not.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +8, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    long mine = 1, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); //~ MUST buffer-type
    MPI_Finalize();
    return 0;
}
