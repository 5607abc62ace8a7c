/* The root starts a receive for every rank, itself included, but sends nothing to itself: the wait for all never ends.
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
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double share = 0.5;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        double *shares = malloc(np * sizeof(double));
        MPI_Request *requests = malloc(np * sizeof(MPI_Request));

        for (int from = 0; from < np; from++)
            MPI_Irecv(&shares[from], 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &requests[from]); //@ take
        //~^ MUST deadlock
        MPI_Waitall(np, requests, MPI_STATUSES_IGNORE);
        free(requests);
        free(shares);
    } else {
        MPI_Send(&share, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                                 //@ give
    }

    MPI_Finalize();
    return 0;
}
