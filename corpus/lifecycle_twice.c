/* A library's start-up function initialises MPI, and so does main.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

static int size;

static void setup(int *argc, char ***argv)
{
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided); //~ MUST double-init: MPI_Init_thread
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    setup(&argc, &argv);
    MPI_Finalize();
    return 0;
}
