/* Rank 0 takes a message from whoever comes first, and then one from rank 1: if rank 1 was first, it waits for ever.
 */
/* expect:
 *   np: >= 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ first
        MPI_Recv(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                         //@ second
        //~^ MUST unmatched-recv
    } else if (rank <= 2) {
        MPI_Send(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);                                            //@ give
        //~^ MAY unmatched-send
    }

    MPI_Finalize();
    return 0;
}
