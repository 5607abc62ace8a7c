/* A table of what to send that a function keeps: its entries hold the addresses of other variables of the function.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>

struct item {
    int *where;
    int tag;
};

static void exchange(int rank)
{
    static int width = 3, height = 4;
    static struct item items[] = { { &width, 10 }, { &height, 20 } };
    int i;

    for (i = 0; i < 2; i++) {
        if (rank == 0)
            MPI_Send(items[i].where, 1, MPI_INT, 1, items[i].tag, MPI_COMM_WORLD);          //@ give
        else if (rank == 1)
            MPI_Recv(items[i].where, 1, MPI_INT, 0, items[i].tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ take
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size >= 2)
        exchange(rank);
    MPI_Finalize();
    return 0;
}
