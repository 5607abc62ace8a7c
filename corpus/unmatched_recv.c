/* The root waits for a message of every other process, but by an off-by-one the last one never sends.
 *
 * Written `rank < np - 1` where `rank < np` was meant: the root hangs, whatever the number of processes.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: line +17 -> line +13
 *     senders [1..np-2] to 0
 *     receivers [0..0] from each of [1..np-2]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +17 -> line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, part = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int worker = 1; worker < np; worker++) {
            MPI_Recv(&part, 1, MPI_INT, worker, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST unmatched-recv
            sum += part;
        }
    } else if (rank < np - 1) {
        MPI_Send(&part, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return sum < 0;
}
