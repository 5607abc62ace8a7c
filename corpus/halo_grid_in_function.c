/* A line of segments in a grid that one function makes and another one gets: as the program makes no other, it is that one. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Cart_create @line, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

#define CELLS 6

static double u[CELLS + 2];

static MPI_Comm line_of_all(void)
{
    int np, open = 0;
    MPI_Comm line;

    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &open, 0, &line); //@ line
    return line;
}

static void exchange(MPI_Comm grid)
{
    int before, behind;

    MPI_Cart_shift(grid, 0, 1, &before, &behind);
    MPI_Sendrecv(&u[CELLS], 1, MPI_DOUBLE, behind, 0, &u[0], 1, MPI_DOUBLE, before, 0, grid, MPI_STATUS_IGNORE); //@ on
    //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallv` is one call for it
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, before, 1, &u[CELLS + 1], 1, MPI_DOUBLE, behind, 1, grid, MPI_STATUS_IGNORE); //@ back
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm line = line_of_all();
    MPI_Comm_rank(line, &rank);
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = 100 * rank + i;

    exchange(line);
    for (int i = 1; i <= CELLS; i++)
        u[i] = (u[i - 1] + u[i + 1]) / 2;
    exchange(line);
    printf("%d: %.17g %.17g\n", rank, u[0], u[CELLS + 1]);

    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
