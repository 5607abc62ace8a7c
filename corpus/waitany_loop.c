/* A root that starts one receive per worker and treats the results in the order in which they complete.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double result;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        int workers = np - 1;
        double *results = malloc(np * sizeof(double));
        MPI_Request *requests = malloc(np * sizeof(MPI_Request));

        for (int w = 0; w < workers; w++)
            MPI_Irecv(&results[w], 1, MPI_DOUBLE, w + 1, 0, MPI_COMM_WORLD, &requests[w]);   //@ take
        for (int done = 0; done < workers; done++) {
            int w;

            MPI_Waitany(workers, requests, &w, MPI_STATUS_IGNORE);                           //@ next
            printf("worker %d: %g\n", w + 1, results[w]);
        }
        free(requests);
        free(results);
    } else {
        result = 1.0 / rank;
        MPI_Send(&result, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                              //@ give
    }

    MPI_Finalize();
    return 0;
}
