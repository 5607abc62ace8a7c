/* Whoever leaves the scope of its turn tells the next rank so, by which way it ever leaves it: the function is called by the compiler. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +11 -> line +20
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 6, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +11 -> line +20
 */
#include <mpi.h>

struct turn {
    int rank, size;
};

static void pass_on(struct turn *turn)
{
    int token = turn->rank;
    if (turn->rank + 1 < turn->size)
        MPI_Send(&token, 1, MPI_INT, turn->rank + 1, 6, MPI_COMM_WORLD);
}

static int work(int rank, int size)
{
    int token = 0;
    __attribute__((cleanup(pass_on))) struct turn mine = {rank, size};
    if (rank == 0)
        return 1;
    MPI_Recv(&token, 1, MPI_INT, rank - 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return token == rank - 1;
}

int main(int argc, char **argv)
{
    int rank, size, right;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = work(rank, size);
    MPI_Finalize();
    return right ? 0 : 1;
}
