/* Two receives, one of which is waited for.
 */
/* expect:
 *   np: 3
 *   verdict: exact for np = 3
 *   channel: line +18 -> MPI_Irecv line +14
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +18 -> MPI_Irecv line +15
 *     senders [2..2] to 0
 *     receivers [0..0] from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, first, theirs[2] = {0, 0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) {
        MPI_Irecv(&theirs[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]); //~ MUST request-missing-wait: never completed
        MPI_Irecv(&theirs[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]); //~ MUST request-missing-wait: never completed
        MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
