/* Any thread may be the one that calls, and only the main one is announced.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: exact for any np >= 1
 *   assuming: line +8: the exit of the program is not taken
 *   collective: MPI_Allreduce line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); //~ MUST thread-level
        }
    }
    MPI_Finalize();
    return 0;
}
