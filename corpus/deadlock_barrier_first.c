/* The root waits for a report of rank 1 before the barrier, rank 1 sends it after the barrier.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +13, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, report = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0 && np > 1)
        MPI_Recv(&report, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //~ MUST deadlock
    MPI_Barrier(MPI_COMM_WORLD);                                                         //~ MAY deadlock
    if (rank == 1)
        MPI_Send(&report, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
