/* Rank r sends r + 1 numbers, and the root expects r of them: one too few, whichever rank it is.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @take: message-truncation
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     sender + 1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *numbers = calloc(np, sizeof(int));
    if (rank == 0) {
        for (int from = 1; from < np; from++)
            MPI_Recv(numbers, from, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take
        //~^ MUST message-truncation
    } else {
        MPI_Send(numbers, rank + 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                          //@ give
    }

    free(numbers);
    MPI_Finalize();
    return 0;
}
