/* The sum is written over what is summed; only the root may say so, by MPI_IN_PLACE.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double value[4] = { 1, 2, 3, 4 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value[0] += rank;
    MPI_Allreduce(value, value, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); //~ MUST buffer-alias
    MPI_Finalize();
    return 0;
}
