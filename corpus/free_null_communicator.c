/* The last rank is in no part, and frees it all the same. */
/* expect:
 *   verdict: exact for any np >= 2
 *   collective: MPI_Comm_split line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1 ? MPI_UNDEFINED : rank % 2, rank, &part);
    MPI_Comm_free(&part);                                   //~ MUST invalid-communicator: is MPI_COMM_NULL

    MPI_Finalize();
    return 0;
}
