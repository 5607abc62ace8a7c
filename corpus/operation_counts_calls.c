/* An operation of the program's own counts how often MPI calls it, which nobody looks at
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @count, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 */
#include <mpi.h>

static int calls;

static void add(void *in, void *sum, int *length, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *length; i++)
        ((int *)sum)[i] += ((int *)in)[i];
    calls++;
}

int main(int argc, char **argv)
{
    int rank, np, one = 1, sum, taken;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);                                          //@ count
    MPI_Op_free(&op);

    MPI_Sendrecv(&sum, 1, MPI_INT, (rank + 1) % np, 0, &taken, 1, MPI_INT, MPI_ANY_SOURCE, 0,           //@ shift
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
