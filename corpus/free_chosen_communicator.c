/* A function chooses one of two communicators, both of which are there from the beginning: none may be freed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +13, ranks each of [0..np-1] alone for np >= 1001, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Barrier line +13, ranks [0..np-1] for np = 1..1000, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static MPI_Comm choose(int size) { return size > 1000 ? MPI_COMM_SELF : MPI_COMM_WORLD; }

int main(int argc, char **argv)
{
    int size;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    comm = choose(size);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);                                   //~ MUST invalid-communicator: predefined and cannot be freed

    MPI_Finalize();
    return 0;
}
