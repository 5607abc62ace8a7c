/* The row type is never committed, measured, built into a block type and freed: the block type lives on without it.
 *
 * Right; near-miss of datatype-uncommitted, use-after-free and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +20: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 4

int main(int argc, char **argv)
{
    int bytes;
    double a[2 * N][N] = {{0}};
    MPI_Aint lower, extent;
    MPI_Datatype row, block;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(N, MPI_DOUBLE, &row);
    MPI_Type_size(row, &bytes);
    MPI_Type_get_extent(row, &lower, &extent);
    MPI_Type_create_hvector(N, 1, 2 * extent, row, &block);
    MPI_Type_free(&row);
    MPI_Type_commit(&block);
    MPI_Bcast(a, 1, block, 0, MPI_COMM_WORLD);
    MPI_Type_free(&block);

    MPI_Finalize();
    return 0;
}
