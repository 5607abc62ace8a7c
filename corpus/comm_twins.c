/* A helper duplicates MPI_COMM_WORLD twice. A message on the first twin is no message on the second, though both come from one call.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   collective: MPI_Comm_dup line +5, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>

static void twin(MPI_Comm *out)
{
    MPI_Comm_dup(MPI_COMM_WORLD, out);
}

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm one, other;

    MPI_Init(&argc, &argv);
    twin(&one);
    twin(&other);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, one);                         //~ NOTE invalid-rank
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);    //~ MUST communicator-mismatch
    MPI_Comm_free(&one);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
