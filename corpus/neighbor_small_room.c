/* Four neighbours in a grid that goes around, and room for two of them.
 */
/* expect:
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, extents[2] = {0, 0}, periods[2] = {1, 1};
    double out[4] = {0}, in[2];
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    MPI_Neighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, grid); //~ MUST buffer-overflow: writes 32 bytes of a buffer that has 16
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return in[0] < 0;
}
