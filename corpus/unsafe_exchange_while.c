/* Neighbours exchange their borders with blocking sends first, as long as the difference that all see is too great.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @down -> @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @up -> @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @largest, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @down -> @from-right
 *   pattern: shift of @up -> @from-left
 */
#include <math.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, left, right, change = 1, largest = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = left = right = rank;
    while (largest > 1e-3) {
        if (rank > 0)
            MPI_Send(&mine, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD);                                //@ down
        //~^ MUST unsafe-send: waits here for a receive
        if (rank < np - 1)
            MPI_Send(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                                //@ up
        if (rank < np - 1)
            MPI_Recv(&right, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ from-right
        if (rank > 0)
            MPI_Recv(&left, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);             //@ from-left
        change = fabs((left + right) / 2 - mine) / 2;
        mine += ((left + right) / 2 - mine) / 2;
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);                       //@ largest
    }

    MPI_Finalize();
    return 0;
}
