/* A gather along a chain: every rank takes what the ranks above it have collected, adds its own and passes it down.
 *
 * Messages become longer from rank to rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     unknown MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int above = np - 1 - rank;
    int *collected = malloc((above + 1) * sizeof(int));

    collected[0] = rank * rank;
    if (above > 0)
        MPI_Recv(&collected[1], above, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    if (rank > 0)
        MPI_Send(collected, above + 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD);                    //@ pass

    free(collected);
    MPI_Finalize();
    return 0;
}
