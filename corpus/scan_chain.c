/* A prefix sum along a chain: what arrives from the left is the sum of all ranks below.
 *
 * The ends of the chain talk to MPI_PROC_NULL, so no call is guarded.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, below = 0, upto;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == np - 1 ? MPI_PROC_NULL : rank + 1;

    MPI_Recv(&below, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    upto = below + rank;
    MPI_Send(&upto, 1, MPI_INT, right, 0, MPI_COMM_WORLD);                    //@ pass //~ NOTE use-collective: MPI_Scan
    printf("rank %d: %d\n", rank, upto);

    MPI_Finalize();
    return 0;
}
