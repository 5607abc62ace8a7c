/* Assertions that hold: gets where nobody puts, puts to those who say nothing, stores before the fence before, and after the one that tells of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +14, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +16, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +18, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +21, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +26, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +27, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int memory[4] = {0}, value = 1;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    memory[0] = rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, window);
    MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSTORE, window);
    memory[1] = value;
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPUT : 0, window);
    if (rank == 0 && size > 1)
        MPI_Put(&value, 1, MPI_INT, size - 1, 2, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    memory[3] = value;
    MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, window);
    MPI_Get(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
    MPI_Win_unlock(rank, window);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED | MPI_MODE_NOPUT, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return memory[0] + value < 0;
}
