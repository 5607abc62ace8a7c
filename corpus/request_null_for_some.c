/* Ranks without a left neighbour set their request to MPI_REQUEST_NULL by hand, so that all can wait alike.
 *
 * Right; near-miss of request-not-active and invalid-request.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +19 -> MPI_Irecv line +14
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +19 -> MPI_Irecv line +14
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = -1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 0)
        MPI_Irecv(&theirs, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request);
    else
        request = MPI_REQUEST_NULL;
    mine = rank;
    if (rank < size - 1)
        MPI_Send(&mine, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
