/* A root that takes results in the order in which they complete, until no request is left.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +22: whether `MPI_Waitany` in @next is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   channel: @thank -> @thanked
 *     senders [0..0] to each of [1..4]
 *     receivers [1..4] from 0
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @thank -> @thanked
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, done = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        int *result = malloc(np * sizeof(int)), which;
        MPI_Request *request = malloc(np * sizeof(MPI_Request));

        request[0] = MPI_REQUEST_NULL;
        for (int r = 1; r < np; r++)
            MPI_Irecv(&result[r], 1, MPI_INT, r, 3, MPI_COMM_WORLD, &request[r]);                 //@ take
        for (;;) {
            MPI_Waitany(np, request, &which, MPI_STATUS_IGNORE);                                  //@ next
            if (which == MPI_UNDEFINED)
                break;
            printf("rank %d: %d\n", which, result[which]);
            MPI_Send(&done, 1, MPI_INT, which, 4, MPI_COMM_WORLD);                                //@ thank
        }
        free(request);
        free(result);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);                                        //@ give
        MPI_Recv(&done, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                     //@ thanked
    }
    MPI_Finalize();
    return 0;
}
