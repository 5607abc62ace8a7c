/* A nonblocking barrier with a message beside it: it begins before the message and ends after it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ibarrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Request barrier;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);                                              //@ meet
    if (rank > 0)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take
    x++;
    if (rank < np - 1)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                           //@ pass
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
