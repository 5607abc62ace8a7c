/* A `continue` that spares rank 0 the addition spares it the wait too: none of its sends is completed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +16 -> line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Isend line +16 -> line +17
 */
#include <mpi.h>
#include <stdio.h>

#define ROUNDS 3

int main(int argc, char **argv)
{
    int rank, size, theirs, sum = 0;
    MPI_Request requests[ROUNDS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int round = 0; round < ROUNDS; round++) {
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &requests[round]); //~ MUST request-missing-wait
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            continue;
        sum += theirs;
        MPI_Wait(&requests[round], MPI_STATUS_IGNORE);
    }
    printf("%d: %d\n", rank, sum);

    MPI_Finalize();
    return 0;
}
