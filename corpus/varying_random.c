/* Random numbers that each rank draws for itself may differ.
 */
/* expect:
 *   verdict: unknown
 *   because: line +13: whether `MPI_Barrier` in line +14 is reached depends on data that may differ between ranks
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    x = rand() % 2;
    if (x == rank - rank + 2)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
