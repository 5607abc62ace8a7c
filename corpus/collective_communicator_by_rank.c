/* One call, but rank 0 names MPI_COMM_WORLD and the others a duplicate of it. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   collective: MPI_Comm_dup line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, step = 3;
    MPI_Comm own;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Allreduce(MPI_IN_PLACE, &step, 1, MPI_INT, MPI_SUM, rank == 0 ? MPI_COMM_WORLD : own); //~ MUST communicator-mismatch
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
