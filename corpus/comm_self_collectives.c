/* Every process uses on its own, with MPI_COMM_SELF, what is written for a group: it broadcasts to itself, and waits for itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @spread, root 0, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Ibarrier @meet, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks each of [1..np-1] alone for np >= 2, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Ibarrier @meet, ranks each of [1..np-1] alone for np >= 2, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Comm_dup @copy, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Barrier @again, ranks each of [0..0] alone, duplicate of MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>

static int settled(int setting, MPI_Comm comm)
{
    MPI_Request request;

    MPI_Bcast(&setting, 1, MPI_INT, 0, comm);            //@ spread
    MPI_Ibarrier(comm, &request);                        //@ meet
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return setting;
}

int main(int argc, char **argv)
{
    int rank, setting;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    setting = settled(rank == 0 ? 3 : 4, MPI_COMM_SELF);
    if (setting == 3) {
        MPI_Comm_dup(MPI_COMM_SELF, &copy);              //@ copy
        MPI_Barrier(copy);                               //@ again
        MPI_Comm_free(&copy);
    }

    MPI_Finalize();
    return 0;
}
