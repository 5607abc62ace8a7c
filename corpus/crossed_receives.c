/* Two ranks that each wait for the other before they send: a deadlock, whatever the implementation buffers. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine = 1, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank < 2) {
        MPI_Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST deadlock: waits as well
        //~^ NOTE invalid-rank: partner 1
        MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        printf("rank %d got %d\n", rank, theirs);
    }

    MPI_Finalize();
    return 0;
}
