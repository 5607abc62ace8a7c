/* A reduction is started in every second step and awaited in each: in the odd steps the wait finds nothing to do.
 *
 * Right; near-miss of request-not-active and request-reuse.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 6

int main(int argc, char **argv)
{
    int rank;
    double residual, worst = 0.0;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int step = 0; step < STEPS; step++) {
        if (step % 2 == 0) {
            residual = 1.0 / (rank + step + 1);
            MPI_Iallreduce(&residual, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    printf("%d: %g\n", rank, worst);

    MPI_Finalize();
    return 0;
}
