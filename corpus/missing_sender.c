/* The root's loop begins at 2, so rank 1 waits for a message that is never sent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [2..np-1]
 *     receivers [2..np-1] from 0
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double parameters[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int to = 2; to < np; to++)
            MPI_Send(parameters, 4, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);                  //@ give
    } else {
        MPI_Recv(parameters, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take //~ MUST unmatched-recv
    }

    MPI_Finalize();
    return 0;
}
