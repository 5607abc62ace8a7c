/* The work is shared by all but rank 0. Alone it would divide by zero: the program is for two processes and more. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   because: line +9: a number is divided by zero, which ends the process (np = 1)
 *   channel: line +11 -> line +13
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, share;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share = 100 / (size - 1);
    if (rank == 0)
        MPI_Send(&share, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&share, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
