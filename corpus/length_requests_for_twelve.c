/* The root receives from all others into an array of twelve requests and numbers: enough up to thirteen processes, and nothing checks that
 * there are not more.
 */
/* expect:
 *   np: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @take: whether the buffer of MPI_Irecv is long enough is not known: it has 48 bytes
 *   lengths: not proved, @wait: the array of requests of MPI_Waitall is too short for more than 13 processes
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>

#define WORKERS 12

int main(int argc, char **argv)
{
    int rank, np, numbers[WORKERS];
    MPI_Request requests[WORKERS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0) {
        for (int from = 1; from < np; from++)
            MPI_Irecv(&numbers[from - 1], 1, MPI_INT, from, 0, MPI_COMM_WORLD, &requests[from - 1]); //@ take
        MPI_Waitall(np - 1, requests, MPI_STATUSES_IGNORE);                                          //@ wait
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                           //@ give
    }
    MPI_Finalize();
    return 0;
}
