/* Calls that touch memory past the end of their buffers.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +12: buffer-overflow
 *   lengths: not proved, line +14: buffer-overflow
 *   lengths: not proved, line +16: buffer-overflow
 *   lengths: not proved, line +19: buffer-overflow
 *   lengths: not proved, line +20: buffer-overflow
 *   lengths: not proved, line +21: buffer-overflow
 *   collective: MPI_Bcast line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +16, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +21, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double x[10] = {0}, grid[3][4] = {{0}};
    int n = 10, one = 0, *block = malloc(n * sizeof(int)), *zeros = calloc(4, sizeof(int));

    MPI_Init(&argc, &argv);

    MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, 11, MPI_DOUBLE, 0, MPI_COMM_WORLD);    //~ MUST buffer-overflow: 88 bytes
    MPI_Bcast(x + 4, 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x + 4, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow: has 48 from byte 32 on
    MPI_Bcast(grid, 12, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&grid[2][0], 8, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow

    MPI_Bcast(block, n, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(block, 2 * n, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow: the allocated block has 40
    MPI_Bcast(zeros, 5, MPI_INT, 0, MPI_COMM_WORLD);     //~ MUST buffer-overflow: has 16
    MPI_Bcast(&one, 2, MPI_INT, 0, MPI_COMM_WORLD);      //~ MUST buffer-overflow: `one` has 4

    free(block);
    free(zeros);
    MPI_Finalize();
    return 0;
}
