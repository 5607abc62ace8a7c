/* Rank 0 waits for the largest tag, but its neighbour has used the next smaller one.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, found, x = 0;
    int *largest;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);

    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, *largest, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //~ MUST tag-mismatch
    //~^ NOTE invalid-rank: partner 1
    else if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, *largest - 1, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
