/* A receiver that does not know how long the message is: it probes, asks for the length, makes room and receives.
 *
 * Rank r sends r numbers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     sender MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0) {
        int *numbers = calloc(rank, sizeof(int));

        MPI_Send(numbers, rank, MPI_INT, 0, 0, MPI_COMM_WORLD);                                //@ give
        free(numbers);
    } else {
        for (int from = 1; from < np; from++) {
            MPI_Status status;
            int count;

            MPI_Probe(from, 0, MPI_COMM_WORLD, &status);                                       //@ look
            MPI_Get_count(&status, MPI_INT, &count);
            int *numbers = malloc(count * sizeof(int));
            MPI_Recv(numbers, count, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take
            free(numbers);
        }
    }

    MPI_Finalize();
    return 0;
}
