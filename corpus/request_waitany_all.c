/* Rank 0 takes the answers of the others as they come, until MPI_Waitany says that no request is left.
 *
 * Right; near-miss of request-missing-wait and request-not-active.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +29 -> MPI_Irecv line +19
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +29 -> MPI_Irecv line +19
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        int which;
        int *answers = malloc(size * sizeof(int));
        MPI_Request *requests = malloc(size * sizeof(MPI_Request));

        for (int i = 1; i < size; i++)
            MPI_Irecv(&answers[i - 1], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
        MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
        while (which != MPI_UNDEFINED) {
            sum += answers[which];
            MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
        }
        printf("%d\n", sum);
        free(requests);
        free(answers);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
