/* As many processes as a square has places: each row passes a number on from left to right.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [0..isqrt(np)-2]} to rank + 1
 *     receivers {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [1..isqrt(np)-1]} from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @pass -> @take
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, side, column, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    side = (int)sqrt((double)size);
    if (side * side != size) {
        if (rank == 0)
            fprintf(stderr, "%d processes are no square\n", size);
        MPI_Finalize();
        return 0;
    }
    column = rank % side;
    if (column > 0)
        MPI_Recv(&sum, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    sum += rank;
    if (column < side - 1)
        MPI_Send(&sum, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); //@ pass
    MPI_Finalize();
    return 0;
}
