/* Fig. 2 of the paper: rank 0 sends 5 to rank 1, which sends it back; both print 5.
 *
 * Nothing within one process says so. Constant propagation has to follow the value through both messages.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: @there -> @there-in
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @back -> @back-in
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   fact: @print-0 printf on [0..0]: y = 5
 *   fact: @print-1 printf on [1..1]: y = 5
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, x, y;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        x = 5;
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);                    //@ there
        //~^ NOTE invalid-rank: partner 1
        MPI_Recv(&y, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ back-in
        printf("%d\n", y);                                                 //@ print-0
    } else if (rank == 1) {
        MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ there-in
        MPI_Send(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                    //@ back
        printf("%d\n", y);                                                 //@ print-1
    }

    MPI_Finalize();
    return 0;
}
