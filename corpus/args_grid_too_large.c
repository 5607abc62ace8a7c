/* A grid that has twice as many processes as there are, whatever their number.
 */
/* expect:
 *   verdict: unknown
 *   because: line +11: `MPI_Cart_create` asks for more processes than there are
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, periods[2] = {0, 0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int extents[2] = {size, 2};
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid); //~ MUST invalid-count: the grid of MPI_Cart_create has 2*np processes, but there are np
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
