/* How often a process asks for a message before it is there differs from rank to rank. */
/* expect:
 *   verdict: unknown
 *   because: line +19: whether `MPI_Barrier` in line +20 is reached depends on data that may differ between ranks
 *   channel: line +14 -> MPI_Irecv line +13
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +14 -> MPI_Irecv line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, there = 0, polls = 0, mine, theirs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);
    while (!there) {
        MPI_Test(&request, &there, MPI_STATUS_IGNORE);
        polls++;
    }
    if (polls == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
