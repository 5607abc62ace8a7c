/* Results are stored in the order in which they come, and shown as if they stood in the order of ranks.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +18: whether the buffer of MPI_Recv is long enough is not known: it has 4000 bytes
 *   channel: line +13 -> line +18
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +13 -> line +18
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = rank * rank;
    if (rank > 0) {
        MPI_Send(&mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        int results[1000];
        results[0] = mine;
        for (int i = 1; i < size; i++)
            MPI_Recv(&results[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST message-race
        for (int i = 0; i < size; i++)
            printf("rank %d has %d\n", i, results[i]);
    }
    MPI_Finalize();
    return 0;
}
