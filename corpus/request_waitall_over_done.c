/* The receive is awaited alone, since its value is needed first; MPI_Waitall then runs over the whole array, done ones included.
 *
 * Right; near-miss of request-not-active.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +15 -> MPI_Irecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ibarrier line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +15 -> MPI_Irecv line +14
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request requests[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, theirs);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
