/* The buffer is freed before the message is known to be on its way. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +15 -> line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +15 -> line +17
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, number;
    int *copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    copy = malloc(sizeof *copy);
    *copy = rank;
    MPI_Isend(copy, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    free(copy); //~ MUST buffer-race: this frees
    MPI_Recv(&number, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
