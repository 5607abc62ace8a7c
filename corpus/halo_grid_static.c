/* A line whose grid and neighbours are variables of the file, which `main` sets before it calls the function that exchanges. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 1, grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 2, grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Cart_create @line, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm line;
static int before, behind;

static void tell(int mine, int theirs[2])
{
    MPI_Sendrecv(&mine, 1, MPI_INT, before, 1, &theirs[1], 1, MPI_INT, behind, 1, line, MPI_STATUS_IGNORE); //@ back
    //~^ NOTE use-neighbor-collective: `MPI_Neighbor_allgather` is one call for it
    MPI_Sendrecv(&mine, 1, MPI_INT, behind, 2, &theirs[0], 1, MPI_INT, before, 2, line, MPI_STATUS_IGNORE); //@ on
}

int main(int argc, char **argv)
{
    int rank, np, open = 0, theirs[2] = {-1, -1};

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &open, 0, &line); //@ line
    MPI_Cart_shift(line, 0, 1, &before, &behind);
    MPI_Comm_rank(line, &rank);

    for (int step = 0; step < 2; step++)
        tell(10 * rank + step, theirs);
    printf("%d: %d %d\n", rank, theirs[0], theirs[1]);

    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
