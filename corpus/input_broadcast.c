/* Rank 0 reads the size of the problem and broadcasts it; then blocks of that size are scattered by hand.
 *
 * The length of the messages depends on the input, but not on the rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     unknown MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @size, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, n = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0)
        n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);                                       //@ size

    double *block = calloc(n, sizeof(double));
    if (rank == 0) {
        for (int to = 1; to < np; to++)
            MPI_Send(block, n, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);                      //@ give //~ NOTE use-collective: MPI_Bcast
    } else {
        MPI_Recv(block, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take
    }

    free(block);
    MPI_Finalize();
    return 0;
}
