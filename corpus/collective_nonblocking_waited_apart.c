/* All start the two collectives in the same order; odd and even ranks wait for them in different orders, which is right.
 *
 * Right; near-miss of collective-mismatch.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Ibcast line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Iallreduce line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, step = 3, one = 1, all = 0;
    MPI_Request spread, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ibcast(&step, 1, MPI_INT, 0, MPI_COMM_WORLD, &spread);
    MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sum);
    if (rank % 2 == 1) {
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
        MPI_Wait(&spread, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(&spread, MPI_STATUS_IGNORE);
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
    }
    printf("%d\n", step + all);
    MPI_Finalize();
    return 0;
}
