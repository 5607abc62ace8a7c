/* The program reads the clock for its report when MPI is already gone.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static double elapsed(double start)
{
    return MPI_Wtime() - start; //~ MUST call-after-finalize: MPI_Wtime
}

int main(int argc, char **argv)
{
    int rank, finalized;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double start = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();

    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g seconds\n", elapsed(start));
    MPI_Finalize(); //~ MUST call-after-finalize: MPI_Finalize
    return 0;
}
