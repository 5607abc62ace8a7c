/* A rank that computes until its receive is complete, asking again and again with MPI_Test.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @pass -> MPI_Irecv @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @pass -> MPI_Irecv @take
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
