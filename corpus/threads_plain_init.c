/* Every thread of a team sends to itself, and the program has asked for no threads.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: unknown
 *   because: line +13: `MPI_Bcast` is called by several threads
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        int value = 1;

        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); //~ MUST thread-level
    }
    sum = rank;
    MPI_Finalize();
    return sum < 0;
}
