/* A scatter along a chain: every rank keeps the first block of what arrives and passes the rest to the rank above.
 *
 * Messages become shorter by one block from rank to rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 4

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int blocks = np - rank;
    int *data = calloc(blocks * BLOCK, sizeof(int));

    if (rank > 0)
        MPI_Recv(data, blocks * BLOCK, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ take
    if (rank < np - 1)
        MPI_Send(data + BLOCK, (blocks - 1) * BLOCK, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);        //@ pass

    free(data);
    MPI_Finalize();
    return 0;
}
