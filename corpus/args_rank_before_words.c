/* A rank below zero by the words of the command line is none either, whatever they are. */
/* expect:
 *   verdict: exact for any np >= 2
 *   assuming: the command line is the same on every rank
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, -1 - argc, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST invalid-rank: is negative
    MPI_Finalize();
    return x;
}
