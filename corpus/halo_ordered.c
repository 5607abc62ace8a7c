/* A halo exchange of blocking calls in an order that cannot hang: even ranks send first, odd ranks receive first.
 *
 * The ends have one neighbour only, which the guards say.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +15: whether `MPI_Send` in @even-right is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   channel: @even-right -> @odd-from-left
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-right -> @odd-from-left
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-left -> @odd-from-right
 *     senders [2..2] to 1
 *     receivers [1..1] from 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-left -> @odd-from-right
 *     senders [4..4] to 3
 *     receivers [3..3] from 4
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-left -> @even-from-right
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-left -> @even-from-right
 *     senders [3..3] to 2
 *     receivers [2..2] from 3
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-right -> @even-from-left
 *     senders [1..1] to 2
 *     receivers [2..2] from 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-right -> @even-from-left
 *     senders [3..3] to 4
 *     receivers [4..4] from 3
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 10
#define WORLD MPI_COMM_WORLD

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &np);

    if (rank % 2 == 0) {
        if (rank < np - 1) {
            MPI_Send(&u[N], 1, MPI_DOUBLE, rank + 1, 0, WORLD);                            //@ even-right
            MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 0, WORLD, MPI_STATUS_IGNORE);     //@ even-from-right
        }
        if (rank > 0) {
            MPI_Send(&u[1], 1, MPI_DOUBLE, rank - 1, 0, WORLD);                            //@ even-left
            MPI_Recv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, WORLD, MPI_STATUS_IGNORE);         //@ even-from-left
        }
    } else {
        MPI_Recv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, WORLD, MPI_STATUS_IGNORE);             //@ odd-from-left
        MPI_Send(&u[1], 1, MPI_DOUBLE, rank - 1, 0, WORLD);                                //@ odd-left
        if (rank < np - 1) {
            MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 0, WORLD, MPI_STATUS_IGNORE);     //@ odd-from-right
            MPI_Send(&u[N], 1, MPI_DOUBLE, rank + 1, 0, WORLD);                            //@ odd-right
        }
    }

    MPI_Finalize();
    return 0;
}
