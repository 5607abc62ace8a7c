/* All to all by hand with blocking calls: every rank sends to all others before it receives anything.
 *
 * It ends only where the implementation buffers the messages.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-1] for np >= 2 to each other of [0..np-1]
 *     receivers [0..np-1] for np >= 2 from each other of [0..np-1]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double *in = calloc(np, sizeof(double));
    double mine = rank;

    for (int to = 0; to < np; to++)
        if (to != rank)
            MPI_Send(&mine, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);                            //@ give
        //~^ MAY unsafe-send
    for (int from = 0; from < np; from++)
        if (from != rank)
            MPI_Recv(&in[from], 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ take

    free(in);
    MPI_Finalize();
    return 0;
}
