/* A function is told the neighbours in a grid. It has no use for them if the grid knows them: what becomes of its parameters is for its
 * author to say.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @line, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

static void exchange(double u[4], int before, int behind, MPI_Comm line)
{
    MPI_Sendrecv(&u[2], 1, MPI_DOUBLE, behind, 0, &u[0], 1, MPI_DOUBLE, before, 0, line, MPI_STATUS_IGNORE); //@ on
    //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallv` is one call for it
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, before, 1, &u[3], 1, MPI_DOUBLE, behind, 1, line, MPI_STATUS_IGNORE); //@ back
}

int main(int argc, char **argv)
{
    int rank, np, open = 0, left, right;
    double u[4];
    MPI_Comm line;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &open, 0, &line); //@ line
    MPI_Comm_rank(line, &rank);
    MPI_Cart_shift(line, 0, 1, &left, &right);
    for (int i = 0; i < 4; i++)
        u[i] = 100 * rank + i;

    exchange(u, left, right, line);
    printf("%d: %.17g %.17g\n", rank, u[0], u[3]);

    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
