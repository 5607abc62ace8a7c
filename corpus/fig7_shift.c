/* Fig. 7 of the paper: a shift of data along one dimension.
 *
 * The first process only sends, the last only receives, those between do both. At two processes there are none between.
 */
/* expect:
 *   np: >= 2
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
