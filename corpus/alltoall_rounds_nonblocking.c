/* All to all in rounds that need not wait for each other: every rank posts its receives from k ranks below for all k, then starts its
 * sends to k ranks above.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [0..np-1] for np >= 2 to each other of [0..np-1]
 *     receivers [0..np-1] for np >= 2 from each other of [0..np-1]
 *     1 MPI_FLOAT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend @give -> MPI_Irecv @take
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
    MPI_Request *requests = malloc(2 * np * sizeof(MPI_Request));
    int n = 0;

    for (int k = 1; k < np; k++) {
        int from = (rank - k + np) % np;

        MPI_Irecv(&in[from], 1, MPI_FLOAT, from, 3, MPI_COMM_WORLD, &requests[n++]);       //@ take
    }
    for (int k = 1; k < np; k++) {
        int to = (rank + k) % np;

        MPI_Isend(&out[to], 1, MPI_FLOAT, to, 3, MPI_COMM_WORLD, &requests[n++]);          //@ give //~ NOTE use-collective: MPI_Alltoall
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);

    free(requests);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
