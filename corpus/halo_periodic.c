/* A periodic halo exchange: the first and the last rank are neighbours, in a time loop with MPI_Sendrecv.
 *
 * With two processes, left and right are the same; with one, both are the process itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 10, MPI_COMM_WORLD, repeat 4
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 11, MPI_COMM_WORLD, repeat 4
 *   pattern: ring of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *   pattern: ring of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 */
#include <mpi.h>

#define N 16
#define STEPS 4

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    const int left = (rank + np - 1) % np;
    const int right = (rank + 1) % np;

    for (int step = 0; step < STEPS; step++) {
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 10, &u[N + 1], 1, MPI_DOUBLE, right, 10, //@ leftwards
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 11, &u[0], 1, MPI_DOUBLE, left, 11,     //@ rightwards
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= N; i++)
            u[i] = (u[i - 1] + u[i] + u[i + 1]) / 3.0;
    }

    MPI_Finalize();
    return 0;
}
