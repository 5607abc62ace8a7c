/* Rank 0 takes the answers of all others as they come, but asks MPI_Waitany once too few. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: line +24 -> MPI_Irecv line +18
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +27, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +24 -> MPI_Irecv line +18
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int workers = size - 1;
    int *answers = malloc(size * sizeof(int));
    MPI_Request *requests = malloc(size * sizeof(MPI_Request));

    if (rank == 0) {
        for (int i = 0; i < workers; i++)
            MPI_Irecv(&answers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]); //~ MUST request-missing-wait
        for (int i = 1; i < workers; i++) {
            int which;
            MPI_Waitany(workers, requests, &which, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    free(requests);
    free(answers);
    return 0;
}
