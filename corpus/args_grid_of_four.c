/* A grid of two times two processes: with fewer it cannot be made, and the program is not meant for fewer.
 *
 * Right; near-miss of invalid-count.
 */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 4
 *   because: line +12: `MPI_Cart_create` asks for more processes than there are (np < 4)
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..3], grid of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, extents[2] = {2, 2}, chosen[2] = {2, 0}, periods[2] = {1, 0}, here = 1, sum = 0;
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % 2 == 0)
        MPI_Dims_create(size, 2, chosen);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        MPI_Allreduce(&here, &sum, 1, MPI_INT, MPI_SUM, grid);
        MPI_Comm_free(&grid);
    }
    MPI_Finalize();
    return sum + chosen[0] < 0;
}
