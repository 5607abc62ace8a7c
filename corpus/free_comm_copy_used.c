/* The communicator is freed through the variable of the library, and the copy that the program keeps is used once more. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +7, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +24, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +26, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static MPI_Comm library;

static MPI_Comm library_begin(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    return library;
}

static void library_end(void)
{
    MPI_Comm_free(&library);
}

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm comm = library_begin();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    library_end();
    MPI_Barrier(comm); //~ MUST use-after-free

    MPI_Finalize();
    return 0;
}
