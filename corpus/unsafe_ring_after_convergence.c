/* A ring of blocking sends after a loop that ends when all agree: how many rounds there were does not matter to what hangs where
 * messages are not buffered.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @send -> @receive
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @residual, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of @send -> @receive
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, token;
    double part, residual = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    part = np - rank;
    do {
        part = part / (rank + 2);
        MPI_Allreduce(&part, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);       //@ residual
    } while (residual > 0.5);

    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                   //@ send
    //~^ MUST unsafe-send: waits here for a receive
    MPI_Recv(&token, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ receive

    MPI_Finalize();
    return token < 0;
}
