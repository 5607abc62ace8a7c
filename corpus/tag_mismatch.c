/* Rank 1 sends tag 8, rank 0 waits for tag 7: one message nobody receives, one receive nobody serves. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST tag-mismatch
        //~^ NOTE invalid-rank: partner 1
    else if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
