/* Neighbours tell each other whether they have each other's first message already, and whoever has it expects to be told: where one
 * has it and the other has not yet, the first waits for ever.
 */
/* expect:
 *   np: 2, 4, 6, 8
 *   verdict: bounded to 2, 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, have, mine, theirs = 0, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % 2 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
    MPI_Test(&request, &have, MPI_STATUS_IGNORE);
    if (have) {
        MPI_Send(&mine, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

    printf("%d: %d %d\n", rank, theirs, word);
    MPI_Finalize();
    return 0;
}
