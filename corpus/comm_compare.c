/* A library that shifts a number on the communicator it is given, and makes its own of it if that is MPI_COMM_WORLD.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup @dup, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

static int shift(int x, MPI_Comm comm)
{
    int rank, size, same, below = -1;
    MPI_Comm mine = comm;

    MPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
    if (same == MPI_IDENT)
        MPI_Comm_dup(comm, &mine);                                                           //@ dup
    MPI_Comm_rank(mine, &rank);
    MPI_Comm_size(mine, &size);

    if (rank > 0)
        MPI_Recv(&below, 1, MPI_INT, rank - 1, 0, mine, MPI_STATUS_IGNORE);                  //@ take
    if (rank < size - 1)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, mine);                                         //@ pass
    if (same == MPI_IDENT)
        MPI_Comm_free(&mine);
    return below;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shift(rank, MPI_COMM_WORLD);
    shift(rank, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
