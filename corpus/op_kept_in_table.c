/* A table of operations, of which the last is made by the program: used one after the other, and only the last is freed.
 *
 * Right; near-miss of op-leak, op-mismatch and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>
#include <stdio.h>

#define OPS 3

static void last_one(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)count;
    (void)type;
}

int main(int argc, char **argv)
{
    int rank, result[OPS];
    MPI_Op ops[OPS] = {MPI_MIN, MPI_MAX};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Op_create(last_one, 0, &ops[OPS - 1]);
    for (int i = 0; i < OPS; i++)
        MPI_Allreduce(&rank, &result[i], 1, MPI_INT, ops[i], MPI_COMM_WORLD);
    MPI_Op_free(&ops[OPS - 1]);
    printf("%d %d %d\n", result[0], result[1], result[2]);

    MPI_Finalize();
    return 0;
}
