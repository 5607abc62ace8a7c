/* The maximum of all ranks' numbers, known to all: everybody sends to everybody and waits for the receives only at the end.
 *
 * Sends and receives are started in one loop, each with its request in an array of its own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     1 MPI_INT, tag 8, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int me, procs, highest;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);

    int mine = me * 37 % 11;
    int *theirs = malloc(procs * sizeof(int));
    MPI_Request *sends = malloc(procs * sizeof(MPI_Request));
    MPI_Request *receives = malloc(procs * sizeof(MPI_Request));

    for (int p = 0; p < procs; p++) {
        MPI_Irecv(&theirs[p], 1, MPI_INT, p, 8, MPI_COMM_WORLD, &receives[p]); //@ take
        MPI_Isend(&mine, 1, MPI_INT, p, 8, MPI_COMM_WORLD, &sends[p]);         //@ give //~ NOTE use-collective: MPI_Allreduce
    }
    MPI_Waitall(procs, receives, MPI_STATUSES_IGNORE);
    highest = theirs[0];
    for (int p = 1; p < procs; p++)
        if (theirs[p] > highest)
            highest = theirs[p];
    MPI_Waitall(procs, sends, MPI_STATUSES_IGNORE);

    free(receives);
    free(sends);
    free(theirs);
    MPI_Finalize();
    return highest < 0;
}
