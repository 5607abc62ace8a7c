/* All to all by hand where every rank also sends to itself: no rank is left out of either loop.
 *
 * The send to oneself is nonblocking, so the receive that follows finds it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     1 MPI_FLOAT, tag 6, MPI_COMM_WORLD, repeat 1
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

    float *out = calloc(np, sizeof(float));
    float *in = calloc(np, sizeof(float));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));

    for (int to = 0; to < np; to++)
        MPI_Isend(&out[to], 1, MPI_FLOAT, to, 6, MPI_COMM_WORLD, &requests[to]);             //@ give //~ NOTE use-collective: MPI_Alltoall
    for (int from = 0; from < np; from++)
        MPI_Recv(&in[from], 1, MPI_FLOAT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
    for (int to = 0; to < np; to++)
        MPI_Wait(&requests[to], MPI_STATUS_IGNORE);

    free(requests);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
