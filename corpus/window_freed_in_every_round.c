/* A window of another length is allocated in each round, and freed in its round with its memory.
 *
 * Right; near-miss of window-leak and use-after-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_fence line +19, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_fence line +21, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Win_free line +22, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>

#define ROUNDS 3
#define LENGTH 4

int main(int argc, char **argv)
{
    int rank, size;
    double *block, out[ROUNDS * LENGTH] = {0};
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int round = 1; round <= ROUNDS; round++) {
        int count = round * LENGTH;
        MPI_Win_allocate(count * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &block, &window);
        MPI_Win_fence(0, window);
        MPI_Put(out, count, MPI_DOUBLE, (rank + 1) % size, 0, count, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }

    MPI_Finalize();
    return 0;
}
