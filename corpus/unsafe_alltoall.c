/* All to all by hand with blocking calls: every rank sends to all others before it receives anything.
 *
 * It ends only where the implementation buffers the messages.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: the time limit was reached
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: @give -> @take
 *     senders [1..1] to each of [2..3]
 *     receivers [2..3] from 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..3]
 *     receivers [1..3] from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [2..4] to 1
 *     receivers [1..1] from each of [2..4]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..3] to 4
 *     receivers [4..4] from each of [0..3]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [2..4] to each other of [2..3]
 *     receivers [2..3] from each other of [2..4]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 *   pattern: fan-out of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
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
