/* The root puts what it receives in the opposite order of the ranks: blocks of a gather lie in the order of the ranks, so what is
 * suggested is advice.
 */
/* expect:
 *   verdict: exact for np = 1..64
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define MOST 64

int main(int argc, char **argv)
{
    int rank, np, mine, all[MOST];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);

    mine = rank * rank;
    if (rank == 0) {
        all[np - 1] = mine;
        for (int from = 1; from < np; from++)
            MPI_Recv(&all[np - 1 - from], 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take //~ NOTE use-collective: MPI_Gather
        for (int i = 0; i < np; i++)
            printf("%d\n", all[i]);
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                         //@ give
    }

    MPI_Finalize();
    return 0;
}
