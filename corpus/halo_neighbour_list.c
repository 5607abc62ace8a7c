/* A halo exchange over a list of those neighbours that exist; the list is as long as there are, zero to two.
 *
 * List, requests and buffers are allocated; the sends are waited for one by one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @give -> @take
 *   pattern: shift of MPI_Isend @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, count = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *neighbours = malloc(2 * sizeof(int));
    if (rank > 0)
        neighbours[count++] = rank - 1;
    if (rank < np - 1)
        neighbours[count++] = rank + 1;

    int *theirs = malloc(2 * sizeof(int));
    MPI_Request *requests = malloc(2 * sizeof(MPI_Request));

    for (int i = 0; i < count; i++)
        MPI_Isend(&rank, 1, MPI_INT, neighbours[i], 0, MPI_COMM_WORLD, &requests[i]);                //@ give
    for (int i = 0; i < count; i++)
        MPI_Recv(&theirs[i], 1, MPI_INT, neighbours[i], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
    for (int i = 0; i < count; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);

    free(requests);
    free(theirs);
    free(neighbours);
    MPI_Finalize();
    return 0;
}
