/* All to all by hand, all nonblocking: receives first, then sends, then one wait for both.
 *
 * The requests of both kinds are in one array that grows with the number of processes.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     32 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 32

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double *out = calloc(np * BLOCK, sizeof(double));
    double *in = calloc(np * BLOCK, sizeof(double));
    MPI_Request *requests = malloc(2 * np * sizeof(MPI_Request));

    for (int i = 0; i < np; i++)
        MPI_Irecv(in + i * BLOCK, BLOCK, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, &requests[i]);        //@ take
    for (int i = 0; i < np; i++)
        MPI_Isend(out + i * BLOCK, BLOCK, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, &requests[np + i]);  //@ give //~ NOTE use-collective: MPI_Alltoall
    MPI_Waitall(2 * np, requests, MPI_STATUSES_IGNORE);

    free(requests);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
