/* Everyone asks rank 0 once, in any order, and gets the answer in the order of asking: a ticket.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @answer -> @answered
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @ask -> @asked
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @answer -> @answered
 *   pattern: gather of @ask -> @asked
 */
#include <mpi.h>
#include <stdio.h>

static void give_tickets(int customers)
{
    int wish;
    MPI_Status status;

    for (int ticket = 0; ticket < customers; ticket++) {
        MPI_Recv(&wish, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);             //@ asked
        MPI_Send(&ticket, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);                 //@ answer
    }
}

int main(int argc, char **argv)
{
    int rank, np, ticket = 0, wish = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        give_tickets(np - 1);
    } else {
        MPI_Send(&wish, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);                                   //@ ask
        MPI_Recv(&ticket, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              //@ answered
        printf("rank %d has ticket %d\n", rank, ticket);
    }

    MPI_Finalize();
    return 0;
}
