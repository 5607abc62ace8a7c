/* One call allocates the memory of two windows: ranks store to one while others put to the other one. Right.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Win_fence line +14, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +17, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +20, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +20, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int *memory[2], value = 1;
    MPI_Win windows[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 2; i++)
        MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &windows[i]);
    MPI_Win_fence(0, windows[0]);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, windows[0]);
    memory[1][0] = rank;
    MPI_Win_fence(0, windows[0]);
    value += memory[0][0];
    for (int i = 0; i < 2; i++)
        MPI_Win_free(&windows[i]);
    MPI_Finalize();
    return value < 0;
}
