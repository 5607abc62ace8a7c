/* The message is sent on a duplicate of MPI_COMM_WORLD and awaited on MPI_COMM_WORLD itself: they never meet.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm own;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_rank(own, &rank);

    if (rank == 0) {
        int size;

        MPI_Comm_size(own, &size);
        for (int to = 1; to < size; to++)
            MPI_Send(&x, 1, MPI_INT, to, 0, own);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //~ MUST communicator-mismatch
    }

    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
