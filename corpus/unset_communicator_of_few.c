/* Only many processes get a communicator of their own; few forget to take the old one. */
/* expect:
 *   verdict: exact for any np >= 5
 *   collective: MPI_Comm_dup line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size > 4)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);  //~ MUST invalid-communicator: is never set
    if (size > 4)
        MPI_Comm_free(&comm);

    MPI_Finalize();
    return sum < 0;
}
