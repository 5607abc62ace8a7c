/* The fence is for a window that was not made yet.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win window = MPI_WIN_NULL;

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, window); //~ MUST invalid-window
    MPI_Finalize();
    return 0;
}
