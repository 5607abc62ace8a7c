/* Each process adds to what goes up and down from the middle: nobody ends up with what the root has.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @down -> @from above
 *     senders [1..(np / 2)] to rank - 1
 *     receivers [0..(np / 2)-1] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @up -> @from below
 *     senders [(np / 2)..2*(np / 2)-1] for odd np >= 3 to rank + 1
 *     receivers [(np / 2)+1..2*(np / 2)] for odd np >= 3 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @up -> @from below
 *     senders [(np / 2)..np-2] for even np >= 4 to rank + 1
 *     receivers [(np / 2)+1..2*(np / 2)-1] for even np >= 4 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @down -> @from above
 *   pattern: shift of @up -> @from below
 *   pattern: shift of @up -> @from below
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int root = np / 2;
    if (rank == root)
        x = 42;
    if (rank < root)
        MPI_Recv(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from above
    if (rank > root)
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from below
    x += 1;
    if (rank <= root && rank > 0)
        MPI_Send(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD); //@ down
    if (rank >= root && rank < np - 1)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); //@ up

    printf("rank %d: %d\n", rank, x);
    MPI_Finalize();
    return 0;
}
