/* The first rank looks for a message of MPI_PROC_NULL, and receives it: a message of nobody, whose handle is not null. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @pass -> MPI_Mrecv @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @pass -> MPI_Mrecv @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = -1;
    MPI_Message message;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Isend(&rank, 1, MPI_INT, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request); //@ pass
    MPI_Mprobe(rank > 0 ? rank - 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);       //@ find
    MPI_Mrecv(&x, 1, MPI_INT, &message, MPI_STATUS_IGNORE);                                                //@ take
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return x < -1;
}
