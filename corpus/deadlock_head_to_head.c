/* The first rank and the last, the second and the last but one, and so on: each pair receives before it sends.
 *
 * Both wait for a message that the other sends only afterwards.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine = 1.0, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int opposite = np - 1 - rank;
    MPI_Recv(&theirs, 1, MPI_DOUBLE, opposite, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //~ MUST deadlock
    MPI_Send(&mine, 1, MPI_DOUBLE, opposite, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
