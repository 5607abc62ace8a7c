/* A rank that works while it waits: it looks for the message now and then, and receives it when it is there.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @order -> @order-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @order -> @order-in
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, order = 0, there = 0;
    double work = 1.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int to = 1; to < np; to++)
            MPI_Send(&order, 1, MPI_INT, to, 3, MPI_COMM_WORLD);                          //@ order //~ NOTE use-collective: MPI_Bcast
    } else {
        while (!there) {
            work = 0.5 * work + 1.0;
            MPI_Iprobe(0, 3, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);                  //@ look
        }
        MPI_Recv(&order, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ order-in
    }

    MPI_Finalize();
    return work < 0;
}
