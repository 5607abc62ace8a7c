/* Two receives are started, and MPI_Waitsome is asked once: it may tell of one only. */
/* expect:
 *   np: 3
 *   verdict: exact for np = 3
 *   assuming: line +18: completed operations are listed in the order of their requests
 *   channel: line +21 -> MPI_Irecv line +16
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     4 MPI_DOUBLE, tag 8, MPI_COMM_WORLD, repeat 1
 *   channel: line +21 -> MPI_Irecv line +17
 *     senders [1..1] to 2
 *     receivers [2..2] from 1
 *     4 MPI_DOUBLE, tag 8, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, number, which[2];
    double from[2][4], mine[4] = {0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3) MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank == 2) {
        MPI_Irecv(from[0], 4, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, &requests[0]); //~ MUST request-missing-wait
        MPI_Irecv(from[1], 4, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, &requests[1]); //~ MUST request-missing-wait
        MPI_Waitsome(2, requests, &number, which, MPI_STATUSES_IGNORE);
        printf("%d\n", number);
    } else {
        MPI_Send(mine, 4, MPI_DOUBLE, 2, 8, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
