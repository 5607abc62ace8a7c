/* An array that is distributed over a grid of 2 by 4 processes, of which there are four.
 */
/* expect:
 *   np: 4
 *   verdict: exact for np = 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bytes;
    int extents[2] = {12, 12}, ways[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int blocks[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, grid[2];
    MPI_Datatype share;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);

    grid[0] = 2;
    grid[1] = size;
    MPI_Type_create_darray(size, rank, 2, extents, ways, blocks, grid, MPI_ORDER_C, MPI_FLOAT, &share); //~ MUST invalid-count
    MPI_Type_commit(&share);
    MPI_Type_size(share, &bytes);
    MPI_Type_free(&share);

    printf("%d\n", bytes);
    MPI_Finalize();
    return 0;
}
