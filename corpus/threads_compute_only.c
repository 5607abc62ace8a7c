/* The threads compute, and call nothing of MPI: it need not know of them.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0, part = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for reduction(+ : part)
    for (int i = 0; i < 100; i++)
        part += i;
    MPI_Allreduce(&part, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
