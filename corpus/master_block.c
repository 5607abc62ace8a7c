/* A master that divides the work evenly: the length of each worker's share depends on its rank.
 *
 * The length travels ahead of the data, and the result comes back in a message as long.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   lengths: not proved, @result-in: whether the receive has room for the message of @result is not known
 *   lengths: not proved, @share-in: whether the receive has room for the message of @share is not known
 *   lengths: not proved, whether buffers are as long as calls say: compared at np = 2..5 only
 *   channel: @length -> @length-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @share -> @share-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     length MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @result -> @result-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     unknown MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @length -> @length-in
 *   pattern: fan-out of @share -> @share-in
 *   pattern: gather of @result -> @result-in
 */
#include <mpi.h>
#include <stdlib.h>

#define TOTAL 100

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        double *work = calloc(TOTAL, sizeof(double));
        int workers = np - 1;

        for (int w = 0; w < workers; w++) {
            int first = w * TOTAL / workers;
            int length = (w + 1) * TOTAL / workers - first;

            MPI_Send(&length, 1, MPI_INT, w + 1, 0, MPI_COMM_WORLD);                                      //@ length
            MPI_Send(work + first, length, MPI_DOUBLE, w + 1, 1, MPI_COMM_WORLD);                         //@ share
        }
        for (int w = 0; w < workers; w++) {
            int first = w * TOTAL / workers;
            int length = (w + 1) * TOTAL / workers - first;

            MPI_Recv(work + first, length, MPI_DOUBLE, w + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ result-in
        }
        free(work);
    } else {
        int length;

        MPI_Recv(&length, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                           //@ length-in
        double *share = malloc(length * sizeof(double));
        MPI_Recv(share, length, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                     //@ share-in
        for (int i = 0; i < length; i++)
            share[i] += rank;
        MPI_Send(share, length, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);                                        //@ result
        free(share);
    }

    MPI_Finalize();
    return 0;
}
