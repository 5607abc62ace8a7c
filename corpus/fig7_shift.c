/* Fig. 7 of the paper: a shift of data along one dimension.
 *
 * The first process only sends, the last only receives, those between do both. At two processes there are none between.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: @first-sends -> @inner-receives
 *     senders [0..0] for np >= 3 to 1
 *     receivers [1..1] for np >= 3 from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @first-sends -> @last-receives
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @inner-sends -> @inner-receives
 *     senders [1..np-3] to rank + 1
 *     receivers [2..np-2] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @inner-sends -> @last-receives
 *     senders [np-2..np-2] for np >= 3 to np - 1
 *     receivers [np-1..np-1] for np >= 3 from np - 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @inner-sends -> @inner-receives
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double x = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                    //@ first-sends
        //~^ NOTE invalid-rank: partner 1
    } else if (rank < np - 1) {
        MPI_Recv(&x, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ inner-receives
        MPI_Send(&x, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                    //@ inner-sends
    } else {
        MPI_Recv(&x, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ last-receives
    }

    MPI_Finalize();
    return 0;
}
