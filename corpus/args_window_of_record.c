/* A record with a window in it is filled by nobody.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

struct store {
    int memory[4];
    MPI_Win window;
};

int main(int argc, char **argv)
{
    struct store store = { { 0 }, MPI_WIN_NULL };

    MPI_Init(&argc, &argv);
    MPI_Win_lock_all(0, store.window); //~ MUST invalid-window
    MPI_Win_unlock_all(store.window); //~ MAY invalid-window
    MPI_Finalize();
    return 0;
}
