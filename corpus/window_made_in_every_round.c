/* A window is made over each block in turn, and only that over the last block is freed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_fence line +18, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_fence line +20, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_free line +22, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define BLOCKS 3
#define LENGTH 4

int main(int argc, char **argv)
{
    int rank, size;
    double blocks[BLOCKS][LENGTH] = {{0}}, out[LENGTH] = {0};
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < BLOCKS; i++) {
        MPI_Win_create(blocks[i], sizeof(blocks[i]), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window); //~ MUST window-leak
        MPI_Win_fence(0, window);
        MPI_Put(out, LENGTH, MPI_DOUBLE, (rank + 1) % size, 0, LENGTH, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);

    MPI_Finalize();
    return 0;
}
