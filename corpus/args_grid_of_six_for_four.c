/* The program insists on four processes and makes a grid of six.
 */
/* expect:
 *   np: 4
 *   verdict: unknown
 *   assuming: the command line is the same on every rank
 *   because: every path ends the program early
 *   because: line +15: `MPI_Cart_create` asks for more processes than there are (np < 5)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, extents[2] = {3, 2}, periods[2] = {0, 0}, chosen[2] = {3, 0};
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 1) {
        MPI_Dims_create(size, 2, chosen); //~ MUST invalid-count: extents of 3 processes, of which 4 are no multiple
    } else {
        MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid); //~ MUST invalid-count: has 6 processes, but there are 4
        MPI_Comm_free(&grid);
    }
    MPI_Finalize();
    return 0;
}
