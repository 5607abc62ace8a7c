/* The root adds up what has come in the order in which it comes: whole numbers have one sum in any order.
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
    int rank, np, mine, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = rank * rank + 3;
    sum = mine;

    int *part = malloc(np * sizeof(int));
    MPI_Request *requests = malloc(np * sizeof(MPI_Request));
    if (rank == 0) {
        for (int r = 1; r < np; r++)
            MPI_Irecv(&part[r], 1, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[r - 1]); //@ take
        for (int done = 1; done < np; done++) {
            int which;
            MPI_Waitany(np - 1, requests, &which, MPI_STATUS_IGNORE); //@ next
            sum += part[which + 1];
        }
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); //@ give //~ NOTE use-collective: MPI_Reduce
    }

    if (rank == 0)
        printf("%d\n", sum);
    free(requests);
    free(part);
    MPI_Finalize();
    return 0;
}
