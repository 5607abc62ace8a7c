/* The reduction of one step is awaited in the next step, and its handle handed on from `next` to `current` meanwhile.
 *
 * Right; near-miss of request-reuse and request-missing-wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Iallreduce line +20, ranks [0..np-1], MPI_COMM_WORLD, repeat 4
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 5

int main(int argc, char **argv)
{
    int rank;
    double part[STEPS], norm[STEPS];
    MPI_Request current, next;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int step = 0; step < STEPS; step++)
        part[step] = rank + 0.1 * step;

    MPI_Iallreduce(&part[0], &norm[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &current);
    for (int step = 1; step < STEPS; step++) {
        MPI_Iallreduce(&part[step], &norm[step], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &next);
        MPI_Wait(&current, MPI_STATUS_IGNORE);
        current = next;
    }
    MPI_Wait(&current, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%g\n", norm[STEPS - 1]);

    MPI_Finalize();
    return 0;
}
