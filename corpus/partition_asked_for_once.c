/* Whether the second partition has come is asked once, and it is read whatever the answer.
 */
/* expect:
 *   np: >= 2
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 2
 *   channel: MPI_Psend_init line +21 -> MPI_Precv_init line +25
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     6 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, k, data[6] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

#if MPI_VERSION >= 4
    int there = 0;
    MPI_Request request;

    if (rank == 0) {
        for (k = 0; k < 6; k++)
            data[k] = k;
        MPI_Psend_init(data, 3, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 2, request);
    } else if (rank == 1) {
        MPI_Precv_init(data, 3, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Parrived(request, 1, &there);
        printf("%d\n", data[2]); //~ MUST buffer-race
    }
    if (rank < 2) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
#else
    for (k = 0; k < 6; k++)
        data[k] = k;
    printf("%d\n", data[2]);
#endif

    MPI_Finalize();
    return 0;
}
