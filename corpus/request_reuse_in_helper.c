/* A small outbox that holds one request for the whole file: the second message is posted before the first is completed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +7 -> line +26
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +7 -> line +27
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +7 -> line +26
 *   pattern: ring of MPI_Isend line +7 -> line +27
 */
#include <mpi.h>

static MPI_Request pending = MPI_REQUEST_NULL;

static void post(double *value, int to)
{
    MPI_Isend(value, 1, MPI_DOUBLE, to, 3, MPI_COMM_WORLD, &pending); //~ MUST request-reuse
}

static void flush(void)
{
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    double mass = 1.0, energy = 2.0, in[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    post(&mass, (rank + 1) % size);
    post(&energy, (rank + 1) % size);
    MPI_Recv(&in[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in[1], 1, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    flush();

    MPI_Finalize();
    return 0;
}
