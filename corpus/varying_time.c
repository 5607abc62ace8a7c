/* The time of day may differ from rank to rank.
 */
/* expect:
 *   verdict: unknown
 *   because: line +16: whether `MPI_Barrier` in line +17 is reached depends on data that may differ between ranks
 */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    time_t now = 1;

    time(&now);
    x += rank;
    if (now == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
