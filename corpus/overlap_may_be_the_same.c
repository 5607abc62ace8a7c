/* A step of a stencil from one list into another, as a function: its text does not tell that the two lists are different ones, and if
 * they were one, the computation would change what is being sent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 */
#include <mpi.h>
#include <stdio.h>

#define N 30

static void step(const double *u, double *ghosts, double *next, int left, int right)
{
    MPI_Sendrecv(&u[N - 1], 1, MPI_DOUBLE, right, 0, &ghosts[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ rightwards
    //~^ NOTE overlap-communication
    for (int i = 1; i < N - 1; i++)
        next[i] = 0.5 * (u[i - 1] + u[i + 1]);
    next[0] = 0.5 * (ghosts[0] + u[1]);
    next[N - 1] = u[N - 1];
}

int main(int argc, char **argv)
{
    int rank, np;
    double u[N], v[N], ghosts[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++)
        u[i] = rank + i;
    step(u, ghosts, v, (rank + np - 1) % np, (rank + 1) % np);

    printf("rank %d: %g %g\n", rank, v[0], v[N - 1]);
    MPI_Finalize();
    return 0;
}
