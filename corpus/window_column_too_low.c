/* A column is put into a grid of the neighbour one row too low: its last element is below the grid.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   lengths: not proved, line +25: buffer-overflow
 *   collective: MPI_Win_create line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +24, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +26, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +27, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

enum { WIDTH = 4, HEIGHT = 3 };

#define AT(y, x) ((y) * WIDTH + (x))

int main(int argc, char **argv)
{
    int rank, size, y;
    float grid[WIDTH * HEIGHT] = {0}, edge[HEIGHT];
    MPI_Datatype column;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (y = 0; y < HEIGHT; y++)
        edge[y] = (float)rank;
    MPI_Type_vector(HEIGHT, 1, WIDTH, MPI_FLOAT, &column);
    MPI_Type_commit(&column);

    MPI_Win_create(grid, sizeof grid, sizeof grid[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(edge, HEIGHT, MPI_FLOAT, (rank + 1) % size, AT(1, 0), 1, column, window); //~ MUST buffer-overflow
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Type_free(&column);

    printf("%f\n", (double)grid[AT(2, WIDTH - 1)]);
    MPI_Finalize();
    return 0;
}
