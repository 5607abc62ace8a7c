/* What is being received is printed before it is there.
 */
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
    int rank, size, in = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    printf("%d\n", in); //~ MUST buffer-race
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
