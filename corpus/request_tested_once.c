/* A test that tells that the number is not there yet is no wait: on that path nothing completes the receive. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +15 -> MPI_Irecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +15 -> MPI_Irecv line +14
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0, there = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);   //~ MUST request-missing-wait: is never completed
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    if (there)
        printf("%d: %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
