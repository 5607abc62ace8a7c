/* A scatter written by hand: the root keeps the first block of an array and sends every other rank its own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     10 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 10

int main(int argc, char **argv)
{
    int rank, np;
    double mine[BLOCK];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        double *all = malloc(np * BLOCK * sizeof(double));
        for (int i = 0; i < np * BLOCK; i++)
            all[i] = i;
        for (int i = 0; i < BLOCK; i++)
            mine[i] = all[i];
        for (int to = 1; to < np; to++)
            MPI_Send(&all[to * BLOCK], BLOCK, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);      //@ give //~ NOTE use-collective: MPI_Scatter
        free(all);
    } else {
        MPI_Recv(mine, BLOCK, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    }

    MPI_Finalize();
    return mine[0] < 0;
}
