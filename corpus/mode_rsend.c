/* Ready sends: the workers start their receives before a barrier, the root sends after it, when all receives are there.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Rsend @give -> MPI_Irecv @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     256 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @ready, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Rsend @give -> MPI_Irecv @take
 */
#include <mpi.h>

#define N 256

int main(int argc, char **argv)
{
    int rank, np;
    float table[N] = {0};
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank != 0)
        MPI_Irecv(table, N, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &request);     //@ take
    MPI_Barrier(MPI_COMM_WORLD);                                            //@ ready
    if (rank == 0)
        for (int to = 1; to < np; to++)
            MPI_Rsend(table, N, MPI_FLOAT, to, 0, MPI_COMM_WORLD);          //@ give
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
