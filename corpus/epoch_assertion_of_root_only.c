/* That nothing follows a fence is for all ranks to say, or for none.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +14, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +18, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +19, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
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
    int mode = 0;
    MPI_Win_fence(0, window);
    MPI_Get(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    if (rank == 0)
        mode = MPI_MODE_NOSUCCEED;
    MPI_Win_fence(mode, window); //~ MUST rma-epoch: which other ranks do not say
    MPI_Win_free(&window);
    MPI_Finalize();
    return memory[0] + value < 0;
}
