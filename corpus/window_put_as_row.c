/* Four numbers are put as one row of four, and fetched as two pairs into room for more.
 *
 * Right; near-miss of message-truncation and datatype-mismatch.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +15, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +17, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +19, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +20, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, numbers[8] = {1, 2, 3, 4}, memory[4] = {0};
    MPI_Datatype row;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(numbers, 4, MPI_INT, (rank + 1) % size, 0, 1, row, window);
    MPI_Win_fence(0, window);
    MPI_Get(numbers, 8, MPI_INT, (rank + 1) % size, 0, 1, row, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
