/* A shift whose messages are filled in parts: each part is marked ready as soon as it is there.
 *
 * Partitioned communication came with MPI-4; with an older library the message is sent in one piece.
 */
/* expect:
 *   trace: no, Open MPI 4.1 has no partitioned communication
 *   verdict: exact for any np >= 1
 *   channel: MPI_Psend_init @pass -> MPI_Precv_init @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     32 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Psend_init @pass -> MPI_Precv_init @take
 */
#include <mpi.h>

#define PARTS 4
#define LENGTH 8

static void fill(double *part, int number)
{
    for (int i = 0; i < LENGTH; i++)
        part[i] = number + 0.1 * i;
}

int main(int argc, char **argv)
{
    int rank, np;
    double out[PARTS * LENGTH], in[PARTS * LENGTH];
    MPI_Request send = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

#if MPI_VERSION >= 4
    if (rank > 0) {
        MPI_Precv_init(in, PARTS, LENGTH, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &receive); //@ take
        MPI_Start(&receive);
    }
    if (rank < np - 1) {
        MPI_Psend_init(out, PARTS, LENGTH, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &send);   //@ pass
        MPI_Start(&send);
        for (int part = 0; part < PARTS; part++) {
            fill(&out[part * LENGTH], part);
            MPI_Pready(part, send);
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Request_free(&send);
    }
    if (rank > 0) {
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Request_free(&receive);
    }
#else
    if (rank > 0)
        MPI_Irecv(in, PARTS * LENGTH, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, &receive);
    if (rank < np - 1) {
        for (int part = 0; part < PARTS; part++)
            fill(&out[part * LENGTH], part);
        MPI_Isend(out, PARTS * LENGTH, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, &send);
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
#endif

    MPI_Finalize();
    return 0;
}
