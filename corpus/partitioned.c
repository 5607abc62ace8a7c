/* A shift whose message is filled in parts: each part is marked ready as soon as it is there.
 *
 * Partitioned communication came with MPI-4; an older library gets the message in one piece.
 */
/* expect:
 *   trace: no, neither Open MPI 4.1 nor the tracer has partitioned communication
 */
#include <mpi.h>

#define PARTS 4
#define PART 8

int main(int argc, char **argv)
{
    int rank, np;
    double out[PARTS * PART], in[PARTS * PART];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int next = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;
    int previous = rank > 0 ? rank - 1 : MPI_PROC_NULL;

#if MPI_VERSION >= 4
    MPI_Psend_init(out, PARTS, PART, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);    //@ pass
    MPI_Precv_init(in, PARTS, PART, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]); //@ take
    MPI_Startall(2, requests);
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < PART; i++)
            out[part * PART + i] = rank + i;
        MPI_Pready(part, requests[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    for (int i = 0; i < PARTS * PART; i++)
        out[i] = rank + i;
    MPI_Isend(out, PARTS * PART, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in, PARTS * PART, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#endif

    MPI_Finalize();
    return 0;
}
