/* Two nonblocking collectives share a request variable: the reduction is still on its way when the broadcast takes it over. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Ireduce line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ibcast line +16, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, limit = 0;
    double part, total = 0.0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    part = rank;
    if (rank == 0)
        limit = 100;
    MPI_Ireduce(&part, &total, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD, &request);
    MPI_Ibcast(&limit, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); //~ MUST request-reuse
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
