/* The line that is being received is copied over.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +16 -> MPI_Irecv line +14
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     8 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +16 -> MPI_Irecv line +14
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, line[8] = {0}, ghost[8];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Irecv(ghost, 8, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
    memcpy(ghost, line, sizeof line); //~ MUST buffer-race
    MPI_Send(line, 8, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
