/* Each process asks until its receive is complete, but the message has another tag.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: some processes may ask for ever for what does not come
 *   because: the channels shown are those of np = 5
 */
#include <mpi.h>

enum { DATA = 1, RESULT };

int main(int argc, char **argv)
{
    int rank, np, done = 0, theirs = 0;
    MPI_Request receive;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, RESULT, MPI_COMM_WORLD, &receive); //~ MUST deadlock
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % np, DATA, MPI_COMM_WORLD);
    while (!done)
        MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
