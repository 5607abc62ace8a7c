/* The root takes np messages from anyone, but only np - 1 ranks send one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    long seed = 17, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int i = 0; i < np; i++) {
            MPI_Recv(&seed, 1, MPI_LONG, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ take
            //~^ MUST unmatched-recv
            sum += seed;
        }
    } else {
        MPI_Send(&seed, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);                                      //@ give
    }

    MPI_Finalize();
    return sum < 0;
}
