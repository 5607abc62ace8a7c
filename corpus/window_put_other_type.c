/* Whole numbers are put where the target is told to be of floating-point ones. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +13, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +15, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +16, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, numbers[2] = {1, 2};
    float memory[2] = {0};
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(float), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(numbers, 2, MPI_INT, (rank + 1) % size, 0, 2, MPI_FLOAT, window); //~ MUST datatype-mismatch: at the target
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
