/* Blocks are put down in the order in which they come, which is not that of the ranks: no gather does that.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, mine, total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = 10 * rank;

    int *come = malloc(np * sizeof(int)), *list = malloc(np * sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));
    if (rank == 0) {
        list[0] = mine;
        for (int r = 1; r < np; r++)
            MPI_Irecv(&come[r], 1, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[r - 1]); //@ take
        for (int done = 1; done < np; done++) {
            int which;
            MPI_Waitany(np - 1, requests, &which, MPI_STATUS_IGNORE); //@ next
            list[done] = come[which + 1];
        }
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); //@ give
    }

    if (rank == 0) {
        for (int i = 0; i < np; i++)
            total += list[i] % 7;
        printf("%d\n", total);
    }
    free(requests);
    free(list);
    free(come);
    MPI_Finalize();
    return 0;
}
