/* The requests of an exchange are kept in a record; the function that finishes it waits for the receive and forgets the send. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +12 -> MPI_Irecv line +11
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +12 -> MPI_Irecv line +11
 */
#include <mpi.h>
#include <stdio.h>

struct exchange {
    double out, in;
    MPI_Request send, receive;
};

static void begin(struct exchange *e, int left, int right)
{
    MPI_Irecv(&e->in, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &e->receive);
    MPI_Isend(&e->out, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &e->send); //~ MUST request-missing-wait
}

static double finish(struct exchange *e)
{
    MPI_Wait(&e->receive, MPI_STATUS_IGNORE);
    return e->in;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct exchange e;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    e.out = 0.5 * rank;
    begin(&e, (rank + size - 1) % size, (rank + 1) % size);
    printf("%d: %g\n", rank, finish(&e));

    MPI_Finalize();
    return 0;
}
