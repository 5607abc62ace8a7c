/* Every process sends itself a message on MPI_COMM_SELF, where it is rank 0 of one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [0..np-1] to rank
 *     receivers [0..np-1] from rank
 *     1 MPI_INT, tag 1, MPI_COMM_SELF, repeat 1
 *   pattern: shift of @give -> MPI_Irecv @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, seen = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_SELF, &rank);
    MPI_Comm_size(MPI_COMM_SELF, &size);

    MPI_Irecv(&seen, 1, MPI_INT, rank, 1, MPI_COMM_SELF, &request);      //@ take
    MPI_Send(&size, 1, MPI_INT, rank, 1, MPI_COMM_SELF);                 //@ give
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return seen != size;
}
