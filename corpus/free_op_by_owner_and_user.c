/* The function that reduces frees the operation through a copy when it is done, and main, which made it, frees it too. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +30, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] += a[i];
}

static double reduce(double part, MPI_Op op)
{
    double total;

    MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    return total;
}

int main(int argc, char **argv)
{
    double total;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op);
    total = reduce(1.5, op);
    MPI_Bcast(&total, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Op_free(&op); //~ MUST double-free
    MPI_Finalize();
    return 0;
}
