/* One step of a stencil: the ghost cells are exchanged, then the inner cells are computed, which do not need them, and then the two
 * outer ones. The exchange could go on while the inner cells are computed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 10
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 10
 *   pattern: ring of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *   pattern: ring of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 */
#include <mpi.h>
#include <stdio.h>

#define N 50

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2], next[N + 2];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    for (int i = 0; i < N + 2; i++)
        u[i] = next[i] = rank + 0.5 * i;

    for (int step = 0; step < 10; step++) {
        MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &status);    //@ rightwards
        //~^ NOTE overlap-communication
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &status); //@ leftwards

        for (int i = 2; i < N; i++)
            next[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
        next[1] = 0.5 * u[1] + 0.25 * (u[0] + u[2]);
        next[N] = 0.5 * u[N] + 0.25 * (u[N - 1] + u[N + 1]);
        for (int i = 1; i <= N; i++)
            u[i] = next[i];
    }

    printf("rank %d: %.12f %.12f\n", rank, u[1], u[N]);
    MPI_Finalize();
    return 0;
}
