/* What comes after these exchanges is a call: of a function that may do anything, and of one that prints. Then the ghost cell is read.
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

static double u[N + 1];
static double history;

static void remember(double *list, int n)
{
    history = 0;
    for (int i = 0; i < n; i++)
        history += list[i];
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    for (int i = 0; i <= N; i++)
        u[i] = rank + i;

    MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ first
    remember(u, N + 1);
    for (int i = 1; i <= N; i++)
        u[i] += 1;

    MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ second
    for (int i = 1; i < N; i++)
        printf("rank %d: %g\n", rank, u[i]);

    printf("rank %d: %g %g\n", rank, u[0], history);
    MPI_Finalize();
    return 0;
}
