/* An exchange in rounds of doubling distance in which all receive before they send: nobody ever gets beyond the first.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = rank;
    for (int distance = 1; distance < np; distance *= 2) {
        int above = (rank + distance) % np, below = (rank - distance + np) % np;
        MPI_Recv(&theirs, 1, MPI_INT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                     //@ take
        //~^ MUST deadlock: waits for
        MPI_Send(&mine, 1, MPI_INT, above, 0, MPI_COMM_WORLD);                                          //@ give
        mine += theirs;
    }
    MPI_Finalize();
    return 0;
}
