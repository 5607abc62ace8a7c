/* One way the messages go in the grid, and back in another communicator of the same processes, which has no neighbours.
 * Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @on -> MPI_Sendrecv @on
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @back -> MPI_Sendrecv @back
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @on -> MPI_Sendrecv @on
 *   pattern: shift of MPI_Sendrecv @back -> MPI_Sendrecv @back
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, periodic = 0, left, right, from[2] = {-1, -1};
    MPI_Comm line;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Cart_shift(line, 0, 1, &left, &right);

    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from[0], 1, MPI_INT, left, 0, line, MPI_STATUS_IGNORE); //@ on
    MPI_Sendrecv(&rank, 1, MPI_INT, left, 0, &from[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ back
    printf("%d: %d %d\n", rank, from[0], from[1]);

    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
