/* Each rank is the root once; all name the same one in each round.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +14, root unknown, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int root = 0; root < size; root++) {
        int value = rank * rank;

        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        sum += value;
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
