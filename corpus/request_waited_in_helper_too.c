/* The helper that takes a value out of an exchange waits for it already; the wait behind the call has nothing left to wait for. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +21 -> MPI_Irecv line +20
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +21 -> MPI_Irecv line +20
 */
#include <mpi.h>
#include <stdio.h>

static int take(MPI_Request *request, const int *value)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return *value;
}

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = 7 * rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    printf("%d: %d\n", rank, take(&request, &theirs));
    MPI_Wait(&request, MPI_STATUS_IGNORE); //~ MUST request-not-active

    MPI_Finalize();
    return 0;
}
