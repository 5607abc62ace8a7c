/* A ring: every rank passes a number to its right neighbour and takes one from its left.
 *
 * The neighbours are found with the modulus; the last rank closes the ring. At one process the rank talks to itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, token, taken;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int right = (rank + 1) % np;
    int left = (rank + np - 1) % np;

    token = rank;
    MPI_Send(&token, 1, MPI_INT, right, 1, MPI_COMM_WORLD);                         //@ pass //~ MAY unsafe-send
    MPI_Recv(&taken, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
    printf("rank %d has %d\n", rank, taken);

    MPI_Finalize();
    return 0;
}
