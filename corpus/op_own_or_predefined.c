/* Up to three processes use MPI_SUM, more use an operation of their own; what was not made is not freed.
 *
 * Right; near-miss of op-leak and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void add_compensated(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] += a[i];
}

int main(int argc, char **argv)
{
    int size;
    double part = 0.1, total = 0.0;
    MPI_Op op = MPI_SUM;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size > 3)
        MPI_Op_create(add_compensated, 1, &op);
    MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    if (op != MPI_SUM)
        MPI_Op_free(&op);

    MPI_Finalize();
    return 0;
}
