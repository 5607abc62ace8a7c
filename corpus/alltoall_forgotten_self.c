/* All to all by hand whose sends include the rank itself and whose receives do not: one message per rank is left over.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: the time limit was reached
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Isend @give -> @take
 *     senders [3..3] to 4
 *     receivers [4..4] from 3
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [4..4] to 3
 *     receivers [3..3] from 4
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [2..2] to each of [3..4]
 *     receivers [3..4] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..1] to each of [2..4]
 *     receivers [2..4] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..0] to each of [1..4]
 *     receivers [1..4] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [3..4] to 2
 *     receivers [2..2] from each of [3..4]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [2..4] to 1
 *     receivers [1..1] from each of [2..4]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> @take
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Isend @give -> @take
 *   pattern: fan-out of MPI_Isend @give -> @take
 *   pattern: fan-out of MPI_Isend @give -> @take
 *   pattern: gather of MPI_Isend @give -> @take
 *   pattern: gather of MPI_Isend @give -> @take
 *   pattern: gather of MPI_Isend @give -> @take
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
