/* A ring with a nonblocking receive that is waited for before the send: no better than a blocking one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, theirs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);   //~ MUST deadlock
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                               //~ MAY deadlock
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
