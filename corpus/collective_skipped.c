/* Only rank 0 writes its progress, and nobody remembers that the function for it waits for all ranks.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +7, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   fact: line +12 printf on [0..0]: step = 1
 */
#include <mpi.h>
#include <stdio.h>

static void settle(void)
{
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);            //~ MUST missing-collective
}

static void progress(int step)
{
    printf("step %d\n", step);
    settle();
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        progress(1);

    MPI_Finalize();
    return 0;
}
