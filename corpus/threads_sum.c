/* Threads of each rank add up numbers; in which order they do is not known, nor whether all ranks have as many.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: unknown
 *   because: line +17: whether `MPI_Barrier` in line +18 is reached depends on data that may differ between ranks
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double sum = 0.0;

#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += 1.0 / (i + 1);
    x += rank;
    if (sum < 0.0)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
