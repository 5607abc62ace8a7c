/* Rank 0 listens to two helpers, and tells whoever is first to go on and the other one to stop.
 */
/* expect:
 *   np: >= 3
 *   trace: no, which helper is first depends on timing
 *   verdict: exact for any np >= 3
 *   channel: @go -> @told
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat unknown
 *   channel: @go -> @told
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat unknown
 *   channel: @stop -> @told
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat unknown
 *   channel: @stop -> @told
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat unknown
 *   channel: @ready -> MPI_Irecv @listen
 *     senders [1..2] to 0
 *     receivers [0..0] from each of [1..2]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @ready -> MPI_Irecv @listen
 */
#include <mpi.h>

enum { READY = 1, GO, STOP };

int main(int argc, char **argv)
{
    int rank, np, first, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 3)
        MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank == 0) {
        int ready[2];
        MPI_Request request[2];

        for (int h = 0; h < 2; h++)
            MPI_Irecv(&ready[h], 1, MPI_INT, h + 1, READY, MPI_COMM_WORLD, &request[h]);          //@ listen
        MPI_Waitany(2, request, &first, MPI_STATUS_IGNORE);                                       //@ first
        MPI_Send(&word, 1, MPI_INT, first + 1, GO, MPI_COMM_WORLD);                               //@ go
        MPI_Wait(&request[1 - first], MPI_STATUS_IGNORE);                                         //@ second
        MPI_Send(&word, 1, MPI_INT, 2 - first, STOP, MPI_COMM_WORLD);                             //@ stop
    } else if (rank <= 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, READY, MPI_COMM_WORLD);                                    //@ ready
        MPI_Recv(&word, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ told
    }
    MPI_Finalize();
    return 0;
}
