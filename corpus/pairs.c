/* Even ranks exchange a number with the odd rank above them.
 *
 * Even and odd ranks are those whose least significant digit in radix 2 is 0 or 1; the last rank has no partner where np is odd.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @up -> @taken
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @down -> @back
 *     senders [1..2*(np / 2)-1] step 2 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @up -> @taken
 *   pattern: shift of @down -> @back
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    if (rank % 2 == 0) {
        if (rank + 1 < np) {
            MPI_Send(&mine, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                        //@ up
            MPI_Recv(&theirs, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ back
        }
    } else {
        MPI_Recv(&theirs, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ taken
        MPI_Send(&mine, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);                            //@ down
    }
    printf("rank %d met %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
