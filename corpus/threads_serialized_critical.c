/* The threads call one after the other, and the program asks for that.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: unknown
 *   assuming: line +8: the exit of the program is not taken
 *   because: line +16: `MPI_Bcast` is called by several threads
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        int value = 1;

#pragma omp critical
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF);
    }
    sum = rank;
    MPI_Finalize();
    return sum < 0;
}
