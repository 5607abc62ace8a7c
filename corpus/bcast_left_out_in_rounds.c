/* The rank that decides whether there is another round does not take part in telling so: it goes on to the next reduction, or ends. */
/* expect:
 *   verdict: unknown
 *   because: line +20: whether `MPI_Reduce` in line +13 is reached depends on data that may differ between ranks
 *   collective: MPI_Reduce line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, again = 1;
    double error = 1.0, part, sum = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    do {
        part = error / (rank + 2);
        MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            error = error / 3 + 1e-6 * sum;
            again = error > 1e-3;
        } else {
            MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);     //~ MUST missing-collective: is not called next by rank 0
        }
    } while (again);

    MPI_Finalize();
    return 0;
}
