/* The operation is freed while the nonblocking reduction that uses it is still on its way: it ends as if it were not.
 *
 * Right; near-miss of use-after-free and op-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void smaller(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        if (a[i] < b[i])
            b[i] = a[i];
}

int main(int argc, char **argv)
{
    int rank, least = 0;
    MPI_Op op;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Op_create(smaller, 1, &op);
    MPI_Iallreduce(&rank, &least, 1, MPI_INT, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
