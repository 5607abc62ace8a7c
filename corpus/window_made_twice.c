/* The window is made again for more memory, and the first one is lost.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Win_create line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_create line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +11, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +12, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +13, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int few[4] = { 0 }, many[64] = { 0 };
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Win_create(few, sizeof few, sizeof *few, MPI_INFO_NULL, MPI_COMM_WORLD, &window); //~ MUST window-leak
    MPI_Win_create(many, sizeof many, sizeof *many, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
