/* A scatter written by hand with nonblocking sends: the root starts them all, then waits for them all.
 *
 * The requests are in an array that has just as many elements as there are sends.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     100 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Isend @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 100

int main(int argc, char **argv)
{
    int rank, size;
    int part[BLOCK];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        int *table = calloc(size * BLOCK, sizeof(int));
        MPI_Request *requests = malloc(size * sizeof(MPI_Request));

        for (int i = 1; i < size; i++)
            MPI_Isend(table + i * BLOCK, BLOCK, MPI_INT, i, 4, MPI_COMM_WORLD, &requests[i - 1]); //@ give
        MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
        free(requests);
        free(table);
    } else {
        MPI_Recv(part, BLOCK, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                  //@ take
    }

    MPI_Finalize();
    return 0;
}
