/* A reduction of its own for the value of largest magnitude, made and used and never freed. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +26, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <math.h>

static void largest(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        if (fabs(a[i]) > fabs(b[i]))
            b[i] = a[i];
}

int main(int argc, char **argv)
{
    int rank;
    double value, worst = 0.0;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    value = rank % 2 ? -rank : rank;
    MPI_Op_create(largest, 0, &op); //~ MUST op-leak
    MPI_Allreduce(&value, &worst, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
