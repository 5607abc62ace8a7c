/* A stride in bytes where one in elements was meant: all doubles are written two bytes apart into the window of the neighbour. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +20, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +21, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +23, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +24, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 8

int main(int argc, char **argv)
{
    int rank, size;
    double mine[N], theirs[2 * N] = {0};
    MPI_Datatype spread;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        mine[i] = rank + i;

    MPI_Type_create_hvector(N, 1, 2, MPI_DOUBLE, &spread);
    MPI_Type_commit(&spread);
    MPI_Win_create(theirs, sizeof theirs, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(mine, N, MPI_DOUBLE, (rank + 1) % size, 0, 1, spread, window);   //~ MUST datatype-overlap: MPI_DOUBLE at byte 0 and MPI_DOUBLE at byte 2
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Type_free(&spread);

    MPI_Finalize();
    return 0;
}
