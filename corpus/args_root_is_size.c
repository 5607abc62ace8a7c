/* The last rank is one below the number of processes: a function that gives the number itself names a root that is not there.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

static int last_of(MPI_Comm comm)
{
    int size;

    MPI_Comm_size(comm, &size);
    return size;
}

int main(int argc, char **argv)
{
    int x = 1;

    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, MPI_INT, last_of(MPI_COMM_WORLD), MPI_COMM_WORLD); //~ MUST invalid-root
    MPI_Finalize();
    return 0;
}
