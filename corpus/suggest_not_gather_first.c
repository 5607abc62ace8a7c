/* The root gathers what the others have, and keeps in mind who came first: a gather does not tell that.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     2 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, mine[2], first = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine[0] = 10 * rank;
    mine[1] = 10 * rank + 1;

    int *all = malloc(2 * np * sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));
    if (rank == 0) {
        all[0] = mine[0];
        all[1] = mine[1];
        for (int r = 1; r < np; r++)
            MPI_Irecv(&all[2 * r], 2, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[r - 1]); //@ take
        for (int done = 1; done < np; done++) {
            int which;
            MPI_Waitany(np - 1, requests, &which, MPI_STATUS_IGNORE); //@ next
            if (done == 1)
                first = which + 1;
        }
    } else {
        MPI_Send(mine, 2, MPI_INT, 0, 0, MPI_COMM_WORLD); //@ give
    }

    if (rank == 0 && first < np)
        for (int i = 0; i < 2 * np; i++)
            printf("%d\n", all[i]);
    free(requests);
    free(all);
    MPI_Finalize();
    return 0;
}
