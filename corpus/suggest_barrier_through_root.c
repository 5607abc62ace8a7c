/* The root hears of all processes, then lets all go on: a barrier, in each of three rounds. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @release -> @go
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_CHAR, tag 1, MPI_COMM_WORLD, repeat 3
 *   channel: @come -> @hear
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: fan-out of @release -> @go
 *   pattern: gather of @come -> @hear
 */
#include <mpi.h>
#include <stdio.h>

static void meet(MPI_Comm comm)
{
    int rank, np;
    char token = 0;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &np);
    if (rank == 0) {
        for (int from = 1; from < np; from++)
            MPI_Recv(&token, 1, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE); //@ hear
        for (int to = 1; to < np; to++)
            MPI_Send(&token, 1, MPI_CHAR, to, 1, comm);                      //@ release //~ NOTE use-collective: MPI_Barrier
    } else {
        MPI_Send(&token, 1, MPI_CHAR, 0, 0, comm);                           //@ come
        MPI_Recv(&token, 1, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE);        //@ go
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int round = 0; round < 3; round++) {
        printf("%d: round %d\n", rank, round);
        meet(MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
