/* Three chains that are no prefix sum: one passes its own number only, one passes what it got before it adds its own, and one takes
 * differences.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +17 -> line +15
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +22 -> line +20
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: line +27 -> line +25
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +17 -> line +15
 *   pattern: shift of line +22 -> line +20
 *   pattern: shift of line +27 -> line +25
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, below = 0, pair, stale, apart;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == np - 1 ? MPI_PROC_NULL : rank + 1;

    MPI_Recv(&below, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pair = below + rank;
    MPI_Send(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);

    below = rank * rank;
    MPI_Recv(&below, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stale = below + rank;
    MPI_Send(&below, 1, MPI_INT, right, 1, MPI_COMM_WORLD);

    below = 0;
    MPI_Recv(&below, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    apart = rank - below;
    MPI_Send(&apart, 1, MPI_INT, right, 2, MPI_COMM_WORLD);

    printf("%d: %d %d %d\n", rank, pair, stale, apart);
    MPI_Finalize();
    return 0;
}
