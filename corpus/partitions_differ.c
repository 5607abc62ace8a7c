/* A message that goes in two halves is received in quarters: it is as long on both sides.
 *
 * Partitioned communication came with MPI-4; with an older library the message is sent in one piece.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 1
 *   channel: MPI_Psend_init @halves -> MPI_Precv_init @quarters
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     32 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define LENGTH 32

int main(int argc, char **argv)
{
    int rank, np;
    double data[LENGTH];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < LENGTH; i++)
        data[i] = rank;
#if MPI_VERSION >= 4
    MPI_Request request;
    if (rank == 0 && np > 1) {
        MPI_Psend_init(data, 2, LENGTH / 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);  //@ halves
        MPI_Start(&request);
        MPI_Pready_range(0, 1, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else if (rank == 1) {
        MPI_Precv_init(data, 4, LENGTH / 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);  //@ quarters
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
#else
    if (rank == 0 && np > 1)
        MPI_Send(data, LENGTH, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(data, LENGTH, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Finalize();
    return 0;
}
