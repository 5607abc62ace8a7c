/* A halo exchange of blocking calls in an order that cannot hang: even ranks send first, odd ranks receive first.
 *
 * The ends have one neighbour only, which the guards say.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @even-right -> @odd-from-left
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-left -> @odd-from-right
 *     senders [2..2*(np / 2)] step 2 for odd np >= 3 to rank - 1
 *     receivers [1..2*(np / 2)-1] step 2 for odd np >= 3 from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-left -> @odd-from-right
 *     senders [2..2*(np / 2)-2] step 2 for even np >= 4 to rank - 1
 *     receivers [1..2*(np / 2)-3] step 2 for even np >= 4 from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-left -> @even-from-right
 *     senders [1..2*(np / 2)-1] step 2 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-right -> @even-from-left
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 3 to rank + 1
 *     receivers [2..2*(np / 2)] step 2 for odd np >= 3 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-right -> @even-from-left
 *     senders [1..2*(np / 2)-3] step 2 for even np >= 4 to rank + 1
 *     receivers [2..2*(np / 2)-2] step 2 for even np >= 4 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @even-right -> @odd-from-left
 *   pattern: shift of @even-left -> @odd-from-right
 *   pattern: shift of @even-left -> @odd-from-right
 *   pattern: shift of @odd-left -> @even-from-right
 *   pattern: shift of @odd-right -> @even-from-left
 *   pattern: shift of @odd-right -> @even-from-left
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
