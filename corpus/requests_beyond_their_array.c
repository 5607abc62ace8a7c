/* The root has a request for each other process, and waits for one more. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +16: buffer-overflow
 *   channel: MPI_Isend line +15 -> line +19
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Isend line +15 -> line +19
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, word = 5;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_Request *requests = malloc((size - 1) * sizeof *requests);
        for (int to = 1; to < size; to++)
            MPI_Isend(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &requests[to - 1]);
        MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);   //~ MUST buffer-overflow: more requests than their array has room for
        free(requests);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Finalize();
    return word < 0;
}
