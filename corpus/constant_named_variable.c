/* What looks like a constant is a variable that each process has given another value: only the root's is broadcast.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @steps, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +19 printf on [0..np-1]: steps = 100
 */
#include <mpi.h>
#include <stdio.h>

static int limit = 100;

int main(int argc, char **argv)
{
    int rank, steps;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    limit -= rank;
    const int own = 3 * rank;

    if (rank == 0)
        steps = limit + own;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ steps

    printf("rank %d: %d of %d\n", rank, steps, limit);
    MPI_Finalize();
    return 0;
}
