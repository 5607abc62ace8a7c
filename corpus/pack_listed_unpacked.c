/* What comes belongs to the nodes of a list in which none is named twice: it can be received where it belongs. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     4 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define NODES 12

int main(int argc, char **argv)
{
    int rank, np, ghost[4] = {1, 8, 3, 11};
    int value[NODES] = {0}, come[4], mine[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < 4; i++)
        mine[i] = 10 * rank + i;

    if (rank < np - 1)
        MPI_Send(mine, 4, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); //@ give
    if (rank > 0) {
        MPI_Recv(come, 4, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < 4; i++) //~ NOTE use-datatype: MPI_Type_create_indexed_block
            value[ghost[i]] = come[i];
    }
    for (int i = 0; i < NODES; i++)
        printf("rank %d: %d\n", rank, value[i]);
    MPI_Finalize();
    return 0;
}
