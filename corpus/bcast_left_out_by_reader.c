/* Rank 0 reads the settings and keeps them to itself: it goes on by what it has read, and the others wait for the broadcast. */
/* expect:
 *   verdict: unknown
 *   because: line +17: whether `MPI_Barrier` in line +18 is reached depends on data that may differ between ranks
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, settings[2] = {1, 3};
    double part = 1.0, sum = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0 && scanf("%d %d", &settings[0], &settings[1]) != 2)
        settings[0] = 1;
    if (rank > 0)
        MPI_Bcast(settings, 2, MPI_INT, 0, MPI_COMM_WORLD);   //~ MUST missing-collective: is not called any more by rank 0

    if (settings[0] > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < settings[1]; step++)
        MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
