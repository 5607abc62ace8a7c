/* The tag counts from the rank before, which for the first one is below zero.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&x, 1, MPI_INT, rank, rank - 1, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, //~ MUST invalid-tag
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
