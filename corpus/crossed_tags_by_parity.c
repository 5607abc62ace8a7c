/* The tag says in which half of the step a message belongs; the receiver counts the halves the other way.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 10 + rank, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 10 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST tag-mismatch
    MPI_Finalize();
    return 0;
}
