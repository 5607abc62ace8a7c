/* A broadcast written by hand whose root is the last rank: the root sends to every rank but itself.
 *
 * The root's loop leaves one rank out, at its end; every other rank waits for the root.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] to each of [0..np-2]
 *     receivers [0..np-2] from np - 1
 *     6 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

static void broadcast(double *x, int n, int root)
{
    int rank, np;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == root) {
        for (int to = 0; to < np; to++)
            if (to != root)
                MPI_Send(x, n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);               //@ give //~ NOTE use-collective: MPI_Bcast
    } else {
        MPI_Recv(x, n, MPI_DOUBLE, root, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    }
}

int main(int argc, char **argv)
{
    int np;
    double x[6] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    broadcast(x, 6, np - 1);
    MPI_Finalize();
    return 0;
}
