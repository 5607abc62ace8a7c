/* What the processes of one node add up is added up by one process of each node. Which processes share a node no program says. */
/* expect:
 *   trace: no, which processes share a node depends on the machine
 *   verdict: unknown
 *   because: line +9: which processes `MPI_Comm_split_type` puts together depends on the machine
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
    MPI_Finalize();
    return 0;
}
