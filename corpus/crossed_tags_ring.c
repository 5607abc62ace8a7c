/* A ring whose messages go out with the tag for upwards and are expected with the tag for downwards.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

enum { UPWARDS = 10, DOWNWARDS = 20 };

int main(int argc, char **argv)
{
    int rank, np, theirs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int above = (rank + 1) % np;
    int below = (rank + np - 1) % np;

    MPI_Isend(&rank, 1, MPI_INT, above, UPWARDS, MPI_COMM_WORLD, &request);                  //~ MAY unmatched-send
    MPI_Recv(&theirs, 1, MPI_INT, below, DOWNWARDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //~ MUST deadlock
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
