/* A prefix reduction over the two sides of an intercommunicator, which have no order.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   collective: MPI_Comm_split line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +14, ranks [0..0], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create line +14, ranks [1..np-1], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1, y = 0;
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 0, &both);
    MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, both); //~ MUST invalid-communicator: which is an intercommunicator
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return y < 0;
}
