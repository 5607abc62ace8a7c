/* The requests of two exchanges live in records; helpers start and finish them through pointers, in another order than begun.
 *
 * Right; near-miss of request-missing-wait and request-reuse.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +12 -> MPI_Irecv line +11
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Isend line +12 -> MPI_Irecv line +11
 *     senders [0..0] for np >= 2 to np - 1
 *     receivers [np-1..np-1] for np >= 2 from 0
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Isend line +12 -> MPI_Irecv line +11
 *     senders [1..np-1] for np >= 3 to rank - 1
 *     receivers [0..np-2] for np >= 3 from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +12 -> MPI_Irecv line +11
 *     senders [0..np-2] for np >= 3 to rank + 1
 *     receivers [1..np-1] for np >= 3 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend line +12 -> MPI_Irecv line +11
 *   pattern: shift of MPI_Isend line +12 -> MPI_Irecv line +11
 */
#include <mpi.h>
#include <stdio.h>

struct exchange {
    double out, in;
    MPI_Request requests[2];
};

static void begin(struct exchange *e, int from, int to, int tag)
{
    MPI_Irecv(&e->in, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &e->requests[0]);
    MPI_Isend(&e->out, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &e->requests[1]);
}

static double finish(struct exchange *e)
{
    MPI_Waitall(2, e->requests, MPI_STATUSES_IGNORE);
    return e->in;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct exchange up, down;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    up.out = rank + 0.25;
    down.out = rank + 0.75;
    begin(&up, (rank + size - 1) % size, (rank + 1) % size, 0);
    begin(&down, (rank + 1) % size, (rank + size - 1) % size, 1);
    double below = finish(&down);
    printf("%d: %g\n", rank, below + finish(&up));

    MPI_Finalize();
    return 0;
}
