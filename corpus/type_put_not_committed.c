/* One-sided communication needs a committed type as well: the put moves every second element with a type that is not.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +18, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +20, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +21, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 8

int main(int argc, char **argv)
{
    int rank, size;
    double out[2 * N] = {0}, memory[2 * N];
    MPI_Datatype every_second;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_vector(N, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Win_create(memory, sizeof(memory), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 1, every_second, (rank + 1) % size, 0, N, MPI_DOUBLE, window); //~ MUST datatype-uncommitted
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Type_free(&every_second);

    MPI_Finalize();
    return 0;
}
