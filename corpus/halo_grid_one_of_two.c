/* A function exchanges in one grid, and then in another one, which is closed: which neighbours are whose is known of neither in it. Right;
 * near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @line, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @ring, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: ring of MPI_Sendrecv @back -> MPI_Sendrecv @back
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

static double u[4];

static void exchange(MPI_Comm grid)
{
    int before, behind;

    MPI_Cart_shift(grid, 0, 1, &before, &behind);
    MPI_Sendrecv(&u[2], 1, MPI_DOUBLE, behind, 0, &u[0], 1, MPI_DOUBLE, before, 0, grid, MPI_STATUS_IGNORE); //@ on
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, before, 1, &u[3], 1, MPI_DOUBLE, behind, 1, grid, MPI_STATUS_IGNORE); //@ back
}

int main(int argc, char **argv)
{
    int rank, np, open = 0, closed = 1;
    MPI_Comm line, ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &open, 0, &line); //@ line
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &closed, 0, &ring); //@ ring
    MPI_Comm_rank(line, &rank);
    for (int i = 0; i < 4; i++)
        u[i] = 100 * rank + i;

    exchange(line);
    u[1] += u[0];
    exchange(ring);
    printf("%d: %.17g %.17g\n", rank, u[0], u[3]);

    MPI_Comm_free(&ring);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
