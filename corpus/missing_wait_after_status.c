/* Asking until a receive is complete leaves the request as it is: somebody has to complete it. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +14 -> MPI_Irecv line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +14 -> MPI_Irecv line +13
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, done = 0;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]); //~ MUST request-missing-wait
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    while (!done)
        MPI_Request_get_status(requests[0], &done, MPI_STATUS_IGNORE);
    printf("%d\n", in);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
