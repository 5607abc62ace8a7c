/* Two functions run before main, the one with the smaller number first: the stride is 1 + 2. One runs after it, when all is said. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +32 -> line +34
 *     senders [0..np-4] to rank + 3
 *     receivers [3..np-1] from rank - 3
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +32 -> line +34
 */
#include <mpi.h>

static int stride = 1;
static int used;

static void widen(void) __attribute__((constructor(300)));

__attribute__((constructor(200))) static void begin(void)
{
    stride = 1;
}

static void widen(void)
{
    stride += 2;
}

__attribute__((destructor)) static void end(void)
{
    used = 0;
}

int main(int argc, char **argv)
{
    int rank, size, mine, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    if (rank + stride < size)
        MPI_Send(&mine, 1, MPI_INT, rank + stride, 2, MPI_COMM_WORLD);
    if (rank >= stride)
        MPI_Recv(&theirs, 1, MPI_INT, rank - stride, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    used = 1;

    MPI_Finalize();
    return 0;
}
