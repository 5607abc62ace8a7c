/* A gather written by hand: the root takes one block of every other rank, in the order of the ranks.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     8 MPI_FLOAT, tag 5, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define BLOCK 8

int main(int argc, char **argv)
{
    int rank, np;
    float mine[BLOCK];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < BLOCK; i++)
        mine[i] = rank;

    if (rank != 0) {
        MPI_Send(mine, BLOCK, MPI_FLOAT, 0, 5, MPI_COMM_WORLD);                                            //@ give
    } else {
        float *all = malloc(np * BLOCK * sizeof(float));
        for (int i = 0; i < BLOCK; i++)
            all[i] = mine[i];
        for (int from = 1; from < np; from++)
            MPI_Recv(all + from * BLOCK, BLOCK, MPI_FLOAT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take //~ NOTE use-collective: MPI_Gather
        free(all);
    }

    MPI_Finalize();
    return 0;
}
