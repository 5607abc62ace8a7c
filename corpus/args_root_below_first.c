/* The root is the number that stands for "nobody" in this program.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x = rank;
    MPI_Reduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, -1, MPI_COMM_WORLD); //~ MUST invalid-root
    MPI_Finalize();
    return 0;
}
