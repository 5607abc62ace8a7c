/* Intercommunicators where they must not be, and none where they must.
 */
/* expect:
 *   np: >= 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, others, x = 1, y = 0;
    MPI_Comm half, both, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (argc == 1) {
        MPI_Comm_remote_size(half, &others); //~ MUST invalid-communicator: which is no intercommunicator
    } else if (argc == 2) {
        MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &all); //~ MUST invalid-communicator: MPI_COMM_WORLD, which is no intercommunicator
        MPI_Comm_free(&all);
    } else {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both); //~ NOTE deadlock
        MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, both); //~ MUST invalid-communicator: which is an intercommunicator
        MPI_Comm_free(&both);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
