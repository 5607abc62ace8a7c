/* An operation of the program's own is called by MPI, as often as MPI likes, and changes how far a shift reaches
 */
/* expect:
 *   run: no, where MPI calls the operation on some processes only they wait for ever
 *   verdict: unknown
 *   because: line +21: `add`, which `MPI_Op_create` is given to call, changes variables that matter
 */
#include <mpi.h>

static int distance = 1;

static void add(void *in, void *sum, int *length, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *length; i++)
        ((int *)sum)[i] += ((int *)in)[i];
    distance = 2;
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

    MPI_Sendrecv(&sum, 1, MPI_INT, (rank + distance) % np, 0, &taken, 1, MPI_INT, MPI_ANY_SOURCE, 0,           //@ shift
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
