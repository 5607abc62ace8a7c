/* An operation is made once, used in every round and freed behind the loop.
 *
 * Right; near-miss of op-leak and use-after-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +27, ranks [0..np-1], MPI_COMM_WORLD, repeat 4
 */
#include <mpi.h>

#define ROUNDS 4

static void join_bits(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const unsigned *a = in;
    unsigned *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] |= a[i];
}

int main(int argc, char **argv)
{
    int rank;
    unsigned mine, all = 0;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Op_create(join_bits, 1, &op);
    for (int round = 0; round < ROUNDS; round++) {
        mine = 1u << (rank + round) % 32;
        MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED, op, MPI_COMM_WORLD);
    }
    MPI_Op_free(&op);

    MPI_Finalize();
    return 0;
}
