/* All to all by hand whose sends include the rank itself and whose receives do not: one message per rank is left over.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..np-1] for np >= 2 to each other of [0..np-1]
 *     receivers [0..np-1] for np >= 2 from each other of [0..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *out = calloc(np, sizeof(int));
    int *in = calloc(np, sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));

    for (int to = 0; to < np; to++)
        MPI_Isend(&out[to], 1, MPI_INT, to, 0, MPI_COMM_WORLD, &requests[to]);                   //@ give
    //~^ MUST unmatched-send
    for (int from = 0; from < np; from++)
        if (from != rank)
            MPI_Recv(&in[from], 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ take
    MPI_Waitall(np, requests, MPI_STATUSES_IGNORE);

    free(requests);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
