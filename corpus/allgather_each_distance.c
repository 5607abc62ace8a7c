/* An allgather in which each process gives its own value to all others, in round k to the one k places further on. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +21: the exit of the program is not taken
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-2] to each of [rank+1..np-1]
 *     receivers [1..np-1] from each of [0..rank-1]
 *     1 MPI_INT, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [1..np-1] to each of [0..rank-1]
 *     receivers [0..np-2] from each of [rank+1..np-1]
 *     1 MPI_INT, tag np + receiver - sender, MPI_COMM_WORLD, repeat 1
 *   pattern: band of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: band of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *all = malloc(np * sizeof *all);
    all[rank] = rank * rank;
    for (int k = 1; k < np; k++) {
        int to = (rank + k) % np, from = (rank - k + np) % np;
        MPI_Sendrecv(&all[rank], 1, MPI_INT, to, k, &all[from], 1, MPI_INT, from, k, MPI_COMM_WORLD, //@ pass //~ NOTE use-collective: MPI_Allgather
                     MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < np; i++)
        if (all[i] != i * i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    printf("rank %d has all\n", rank);

    free(all);
    MPI_Finalize();
    return 0;
}
