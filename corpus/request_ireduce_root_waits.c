/* Only the root waits for the nonblocking reduction, as only the root gets a result; the others have a request all the same. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Ireduce line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double part, total = 0.0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    part = 1.0 / (rank + 1);
    MPI_Ireduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, &request); //~ MUST request-missing-wait
    if (rank == 0) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        printf("%g\n", total);
    }

    MPI_Finalize();
    return 0;
}
