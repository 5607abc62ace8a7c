/* All to all by hand: every rank starts a send to each other rank, then receives from each other rank in turn.
 *
 * Both loops skip the rank itself, which copies its own element.
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
    int rank, np, n = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *out = malloc(np * sizeof(int));
    int *in = malloc(np * sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));

    for (int i = 0; i < np; i++)
        out[i] = rank * np + i;
    in[rank] = out[rank];

    for (int i = 0; i < np; i++) {
        if (i == rank)
            continue;
        MPI_Isend(&out[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[n++]);       //@ give //~ NOTE use-collective: MPI_Alltoall
    }
    for (int i = 0; i < np; i++) {
        if (i == rank)
            continue;
        MPI_Recv(&in[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ take
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);

    free(requests);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
