/* What is left for the last one is computed with one too many.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

#define TOTAL 8

static int rest(int taken)
{
    return TOTAL - taken;
}

int main(int argc, char **argv)
{
    int list[TOTAL] = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Bcast(list, rest(9), MPI_INT, 0, MPI_COMM_WORLD); //~ MUST invalid-count: -1
    MPI_Finalize();
    return 0;
}
