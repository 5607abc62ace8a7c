/* A chain whose next process is kept in a byte: from 257 processes on it is another one.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @pass: the partner of `MPI_Send` is not known
 *   because: the channels shown are those of np = 5
 *   channel: @pass -> @take
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0;
    unsigned char next;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = rank + 1;
    if (rank + 1 < size)
        MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD); //@ pass
    if (rank > 0)
        MPI_Recv(&in, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    MPI_Finalize();
    return 0;
}
