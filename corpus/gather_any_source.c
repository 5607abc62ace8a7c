/* A gather in the order of arrival: the root takes from whoever comes first and asks the status where to put it.
 *
 * Which receive gets whose message depends on timing, but every other rank sends once and is received once.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double result;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    result = 0.5 * rank;
    if (rank == 0) {
        double *results = malloc(np * sizeof(double));

        results[0] = result;
        for (int i = 1; i < np; i++) {
            MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status); //@ take
            results[status.MPI_SOURCE] = result;
        }
        free(results);
    } else {
        MPI_Send(&result, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);                           //@ give
    }

    MPI_Finalize();
    return 0;
}
