/* The root prepares something else for each process before it sends it: no collective does that in one call.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, ticket = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int to = 1; to < np; to++) {
            ticket = ticket * 3 + to;
            MPI_Send(&ticket, 1, MPI_INT, to, 0, MPI_COMM_WORLD);                   //@ give
        }
    } else {
        MPI_Recv(&ticket, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take
    }

    printf("rank %d: %d\n", rank, ticket);
    MPI_Finalize();
    return 0;
}
