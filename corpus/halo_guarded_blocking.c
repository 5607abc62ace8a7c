/* A halo exchange of blocking calls behind guards: data goes up the line, then down the line.
 *
 * Every rank but the first waits for its left neighbour before it sends to its right one, so the line is served rank by rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to-right -> @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @to-left -> @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-right -> @from-left
 *   pattern: shift of @to-left -> @from-right
 */
#include <mpi.h>

#define N 30
#define NOBODY (-1)

static int rank, np;

static void exchange(double *u, int left, int right)
{
    if (left != NOBODY)
        MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ from-left
    if (right != NOBODY) {
        MPI_Send(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);                        //@ to-right
        MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from-right
    }
    if (left != NOBODY)
        MPI_Send(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD);                         //@ to-left
}

int main(int argc, char **argv)
{
    double u[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    exchange(u, rank == 0 ? NOBODY : rank - 1, rank == np - 1 ? NOBODY : rank + 1);
    MPI_Finalize();
    return 0;
}
