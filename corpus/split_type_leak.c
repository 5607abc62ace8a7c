/* The processes of one machine get a communicator, which nobody frees. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +11: all processes share memory
 *   collective: MPI_Comm_split_type line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +13, root 0, ranks [0..np-1], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, here, sum = 0;
    MPI_Comm node;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node); //~ MUST communicator-leak
    MPI_Comm_rank(node, &here);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    if (here == 0) printf("%d\n", sum);

    MPI_Finalize();
    return 0;
}
