/* The ranks at the ends of a chain have one neighbour only, and wait for four requests all the same. */
/* expect:
 *   verdict: exact for any np >= 3
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, left = -1, right = -1, n = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Request *requests = malloc(4 * sizeof *requests);
    if (rank > 0) {
        MPI_Irecv(&left, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, requests + n++);
        MPI_Isend(&rank, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, requests + n++);
    }
    if (rank < size - 1) {
        MPI_Irecv(&right, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, requests + n++);
        MPI_Isend(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, requests + n++);
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);          //~ MUST invalid-request: of the array of MPI_Waitall is never set
    free(requests);

    MPI_Finalize();
    return left + right < -2;
}
