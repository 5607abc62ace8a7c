/* Communicators with one group where two are needed.
 */
/* expect:
 *   verdict: exact for any np >= 3
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Comm_split line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, others;
    MPI_Comm half, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (argc == 1) {
        MPI_Comm_remote_size(half, &others); //~ MUST invalid-communicator: which is no intercommunicator
    } else {
        MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &all); //~ MUST invalid-communicator: MPI_COMM_WORLD, which is no intercommunicator
        MPI_Comm_free(&all);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
