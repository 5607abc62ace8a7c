/* Windows in units of no bytes, and locks of no kind.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Win_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int memory[8] = {0}, *there;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    if (argc == 1) {
        MPI_Win_create(memory, sizeof memory, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &window); //~ MUST invalid-window: the displacement unit of MPI_Win_create is 0
    } else if (argc == 2) {
        MPI_Win_allocate(-4, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &there, &window); //~ MUST invalid-count: the size of MPI_Win_allocate is -4
    } else {
        MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_lock(7, 0, 0, window); //~ MUST invalid-window: the kind of lock of MPI_Win_lock is 7
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
