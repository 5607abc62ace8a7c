/* A helper tests a few times and waits only if the message has not come by then.
 *
 * Right; near-miss of request-missing-wait and request-not-active.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +11: which of several processes `MPI_Test` in line +9 tells that it is done is open
 *   because: the channels shown are those of np = 5
 *   channel: line +25 -> MPI_Irecv line +24
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +25 -> MPI_Irecv line +24
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +25 -> MPI_Irecv line +24
 *   fact: line +27 printf on [0..0]: rank = 0, theirs = 4
 */
#include <mpi.h>
#include <stdio.h>

static void complete(MPI_Request *request)
{
    int done = 0;

    for (int look = 0; look < 10 && !done; look++)
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (!done)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    complete(&request);
    printf("%d: %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
