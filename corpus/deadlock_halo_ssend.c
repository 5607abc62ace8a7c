/* A line of processes that all send to both neighbours before they receive, with synchronous sends.
 *
 * The first waits for the second to receive, and the second waits for the first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double edge[2] = {0.0, 1.0}, halo[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Ssend(&edge[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);                         //~ MUST deadlock
    MPI_Ssend(&edge[1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);                        //~ MAY deadlock
    MPI_Recv(&halo[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&halo[1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
