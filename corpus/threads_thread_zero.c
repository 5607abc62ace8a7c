/* A branch lets the main thread call alone, which is what the program asks for.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: unknown
 *   assuming: line +9: the exit of the program is not taken
 *   because: line +14: whether `MPI_Allreduce` in line +15 is reached depends on data that may differ between ranks
 */
#include <mpi.h>
#include <omp.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
