/* The number of words of the command line is not negative: a rank that many above the number of processes is none. */
/* expect:
 *   verdict: exact for any np >= 2
 *   assuming: the command line is the same on every rank
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, np + argc, 0, MPI_COMM_WORLD); //~ MUST invalid-rank: not below the number of processes
    MPI_Finalize();
    return 0;
}
