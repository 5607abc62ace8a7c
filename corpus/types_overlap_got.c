/* The root reads sliding windows out of the memory of the next process: what is read may overlap.
 *
 * Right; near-miss of datatype-overlap, which is about what is written.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +24, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +27, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +28, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 6
#define WIDTH 3
#define PARTS (N - WIDTH + 1)

int main(int argc, char **argv)
{
    int rank, size;
    double series[N], parts[PARTS * WIDTH];
    MPI_Datatype sliding;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        series[i] = rank + i;

    MPI_Type_vector(PARTS, WIDTH, 1, MPI_DOUBLE, &sliding);
    MPI_Type_commit(&sliding);
    MPI_Win_create(series, sizeof series, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Get(parts, PARTS * WIDTH, MPI_DOUBLE, 1 % size, 0, 1, sliding, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Type_free(&sliding);
    if (rank == 0)
        printf("%.1f\n", parts[WIDTH]);

    MPI_Finalize();
    return 0;
}
