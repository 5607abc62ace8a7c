/* A worker starts its receive and asks for the message then: the ready send comes after the question.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: MPI_Rsend @answer -> MPI_Irecv @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @ask -> @asked
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Rsend @answer -> MPI_Irecv @take
 *   pattern: gather of @ask -> @asked
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    int mine = 1, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0) {
        for (int i = 1; i < np; i++) {
            MPI_Recv(&theirs, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ asked
            MPI_Rsend(&mine, 1, MPI_INT, i, 0, MPI_COMM_WORLD);                         //@ answer
        }
    } else {
        MPI_Irecv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);                 //@ take
        MPI_Send(&mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);                              //@ ask
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return theirs > 1;
}
