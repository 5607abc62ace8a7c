/* An accumulate takes predefined operations only. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +22, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +23, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +25, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +26, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void largest(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;
    (void)type;
    for (int i = 0; i < *length; i++)
        if (a[i] > b[i])
            b[i] = a[i];
}

int main(int argc, char **argv)
{
    int rank, memory = 0;
    MPI_Op op;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(largest, 1, &op);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, op, window); //~ MUST invalid-op: predefined operations only
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
