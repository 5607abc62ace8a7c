/* A rank that computes until its receive is complete, asking again and again with MPI_Test.
 */
/* expect:
 *   verdict: unknown
 *   because: @take: `MPI_Irecv` is not followed yet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, theirs = 0, done = 0;
    long rounds = 0;
    MPI_Request receive, send;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &receive);    //@ take
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, &send);              //@ pass
    do {
        rounds++;
        MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    } while (!done);
    MPI_Wait(&send, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return rounds < 0;
}
