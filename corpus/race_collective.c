/* The sum of the last step is read while the next one is being made.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 4
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    double part = 1.0, sum = 0.0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        MPI_Iallreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        part += 0.5 * sum; //~ MUST buffer-race
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
