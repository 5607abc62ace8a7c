/* A channel keeps a request for data and one for a checksum; `push` starts the first only, and `finish` waits for both. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +10 -> line +40
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Send_init line +10 -> line +40
 */
#include <mpi.h>

struct channel {
    double data, checksum;
    MPI_Request data_request, checksum_request;
};

static void prepare(struct channel *c, int to)
{
    MPI_Send_init(&c->data, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &c->data_request);
    MPI_Send_init(&c->checksum, 1, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &c->checksum_request);
}

static void push(struct channel *c, double value)
{
    c->data = value;
    c->checksum = -value;
    MPI_Start(&c->data_request);
}

static void finish(struct channel *c)
{
    MPI_Wait(&c->data_request, MPI_STATUS_IGNORE);
    MPI_Wait(&c->checksum_request, MPI_STATUS_IGNORE); //~ MUST persistent-not-started
    MPI_Request_free(&c->data_request);
    MPI_Request_free(&c->checksum_request);
}

int main(int argc, char **argv)
{
    int rank, size;
    double in;
    struct channel c;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    prepare(&c, (rank + 1) % size);
    push(&c, rank);
    MPI_Recv(&in, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    finish(&c);
    MPI_Finalize();
    return 0;
}
