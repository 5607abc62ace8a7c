/* The broadcast is awaited before the loop that uses its table, and in every round of that loop again. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Ibcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 5

int main(int argc, char **argv)
{
    int rank;
    double table[N] = {0}, sum = 0.0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Ibcast(table, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) {
        MPI_Wait(&request, MPI_STATUS_IGNORE); //~ MUST request-not-active
        sum += table[i];
    }
    printf("%d: %g\n", rank, sum);

    MPI_Finalize();
    return 0;
}
