/* A root that starts one receive per other rank and takes as many results at a time as there are.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: @some: completed operations are listed in the order of their requests
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 7, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdlib.h>

static void collect(int np)
{
    int others = np - 1, left = others, sum = 0;
    int *values = malloc(np * sizeof(int));
    int *which = malloc(np * sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));

    for (int i = 0; i < others; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 7, MPI_COMM_WORLD, &requests[i]);     //@ take
    while (left > 0) {
        int count;

        MPI_Waitsome(others, requests, &count, which, MPI_STATUSES_IGNORE);            //@ some
        for (int i = 0; i < count; i++)
            sum += values[which[i]];
        left -= count;
    }
    free(requests);
    free(which);
    free(values);
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0)
        collect(np);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);                             //@ give
    MPI_Finalize();
    return 0;
}
