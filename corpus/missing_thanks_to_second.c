/* Rank 0 asks two helpers and thanks whoever answers first; the other one waits for thanks that never come.
 */
/* expect:
 *   np: >= 3
 *   verdict: exact for any np >= 3
 *   channel: @thank -> @thanked
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_INT, tag 6, MPI_COMM_WORLD, repeat unknown
 *   channel: @thank -> @thanked
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 6, MPI_COMM_WORLD, repeat unknown
 *   channel: @answer -> MPI_Irecv @one
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> MPI_Irecv @two
 *     senders [2..2] to 0
 *     receivers [0..0] from 2
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, first, thanks = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 3)
        MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank == 0) {
        int answer[2];
        MPI_Request request[2];

        MPI_Irecv(&answer[0], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[0]);                     //@ one
        MPI_Irecv(&answer[1], 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request[1]);                     //@ two
        MPI_Waitany(2, request, &first, MPI_STATUS_IGNORE);                                       //@ first
        MPI_Send(&thanks, 1, MPI_INT, first + 1, 6, MPI_COMM_WORLD);                              //@ thank
        MPI_Waitany(2, request, &first, MPI_STATUS_IGNORE);
    } else if (rank <= 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);                                        //@ answer
        MPI_Recv(&thanks, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                   //@ thanked
        //~^ MUST unmatched-recv: waits for a message from rank 0 with tag 6 that never comes
    }
    MPI_Finalize();
    return 0;
}
