/* A halo three ranks wide without wrap-around: in round d every rank gives its value to the rank d above it and takes one from the
 * rank d below it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-2] to each of [rank+1..rank+3] within [1..np-1]
 *     receivers [1..np-1] from each of [rank-3..rank-1] within [0..np-2]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: band of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>

#define WIDTH 3

int main(int argc, char **argv)
{
    int rank, np;
    double mine, below[WIDTH + 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    for (int d = 1; d <= WIDTH; d++) {
        int to = rank + d < np ? rank + d : MPI_PROC_NULL;
        int from = rank - d >= 0 ? rank - d : MPI_PROC_NULL;

        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, to, 0, &below[d], 1, MPI_DOUBLE, from, 0, //@ swap
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Finalize();
    return 0;
}
