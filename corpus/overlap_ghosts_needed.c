/* The computation after these exchanges needs them: the first loop reads a ghost cell in its first round, the second one changes a cell
 * that is sent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @first -> MPI_Sendrecv @first
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @second -> MPI_Sendrecv @second
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @first -> MPI_Sendrecv @first
 *   pattern: ring of MPI_Sendrecv @second -> MPI_Sendrecv @second
 */
#include <mpi.h>
#include <stdio.h>

#define N 40

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2], v[N + 2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    for (int i = 0; i < N + 2; i++)
        u[i] = v[i] = rank + i;

    MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ first
    for (int i = 1; i <= N; i++)
        v[i] = u[i] - u[i - 1];

    MPI_Sendrecv(&v[N], 1, MPI_DOUBLE, right, 1, &v[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ second
    for (int i = 1; i <= N; i++)
        v[i] = 0.5 * u[i];

    printf("rank %d: %g %g %g\n", rank, u[0], v[0], v[N]);
    MPI_Finalize();
    return 0;
}
