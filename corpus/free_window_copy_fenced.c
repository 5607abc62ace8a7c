/* A window is freed by the function that made it, which returns it all the same; the caller opens an epoch on it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +11, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +13, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +14, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +29, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static double ghost;

static MPI_Win window_once(double *value, int to)
{
    MPI_Win window, result;

    MPI_Win_create(&ghost, sizeof(ghost), sizeof(ghost), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    result = window;
    MPI_Win_fence(0, window);
    MPI_Put(value, 1, MPI_DOUBLE, to, 0, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return result;
}

int main(int argc, char **argv)
{
    int rank, size;
    double mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Win window = window_once(&mine, (rank + 1) % size);
    MPI_Win_fence(0, window); //~ MUST use-after-free

    MPI_Finalize();
    return 0;
}
