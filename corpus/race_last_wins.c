/* Each message overwrites the one before: what all are told in the end is what the last one says.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +11 -> line +14
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +11 -> line +14
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, choice = 0, seen;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&seen, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST message-race
            choice = seen;
        }
    }
    MPI_Bcast(&choice, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
