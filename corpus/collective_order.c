/* The first rank meets the others at the barrier, then sums; the others sum, then go to the barrier.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +11, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +12, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, mine = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);                                                 //~ MUST collective-mismatch
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);             //~ MAY collective-mismatch
        MPI_Barrier(MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
