/* The operation is freed at the end of the first round and used in the second. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +25, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define ROUNDS 2

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] += a[i];
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Op_create(add, 1, &op);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD); //~ MUST use-after-free
        if (round == 0)
            MPI_Op_free(&op);
    }

    MPI_Finalize();
    return 0;
}
