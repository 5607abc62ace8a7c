/* What the processes of one node add up is added up by one process of each node. Where they share one node, there is one such process. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +9: all processes share memory
 *   collective: MPI_Comm_split_type line +9, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +11, root 0, ranks [0..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [0..0], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..np-1], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, here, sum = 0, total = 0;
    MPI_Comm node, leaders;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    MPI_Comm_split(MPI_COMM_WORLD, here == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    if (leaders != MPI_COMM_NULL) MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, leaders);
    MPI_Bcast(&total, 1, MPI_INT, 0, node);
    printf("%d\n", total);
    if (leaders != MPI_COMM_NULL) MPI_Comm_free(&leaders);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
