/* Two arrays in one buffer that they fill, and a buffer of the size that the library asks for.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int x[2] = {0}, at = 0, size;
    double y[2] = {0};
    char all[24], *asked;

    MPI_Init(&argc, &argv);
    MPI_Pack(x, 2, MPI_INT, all, sizeof all, &at, MPI_COMM_WORLD);
    MPI_Pack(y, 2, MPI_DOUBLE, all, sizeof all, &at, MPI_COMM_WORLD);
    for (int turn = 0; turn < 3; turn++) {
        at = 0;
        MPI_Pack(y, 2, MPI_DOUBLE, all, sizeof all, &at, MPI_COMM_WORLD);
    }
    MPI_Pack_size(2, MPI_DOUBLE, MPI_COMM_WORLD, &size);
    asked = malloc((size_t)size);
    at = 0;
    MPI_Pack(y, 2, MPI_DOUBLE, asked, size, &at, MPI_COMM_WORLD);
    free(asked);
    MPI_Finalize();
    return 0;
}
