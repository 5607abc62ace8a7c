/* The root broadcasts, then reduces; the others reduce, then wait for the broadcast.
 *
 * Some libraries let that pass when the messages are short.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +11, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +12, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, limit = 10, mine = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Bcast(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD);                            //~ MUST collective-mismatch
        MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);             //~ MAY collective-mismatch
        MPI_Bcast(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
