/* Odd ranks start the broadcast before the reduction, even ranks after it: nonblocking collectives are matched in the order in which they
 * are started, whichever is waited for first. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, step = 3, one = 1, all = 0;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank % 2 == 1) {
        MPI_Ibcast(&step, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    } else {
        MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]); //~ MUST collective-mismatch
        MPI_Ibcast(&step, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("%d\n", step + all);
    MPI_Finalize();
    return 0;
}
