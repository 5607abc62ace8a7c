/* A broadcast written by hand: the root sends the same message to every other process.
 *
 * This is the program whose analysis took the paper's prototype 381 seconds.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 7, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        value = 42;
        for (int worker = 1; worker < np; worker++)
            MPI_Send(&value, 1, MPI_INT, worker, 7, MPI_COMM_WORLD);           //@ give //~ NOTE use-collective: MPI_Bcast
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    }

    MPI_Finalize();
    return 0;
}
