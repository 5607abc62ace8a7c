/* A look whether a message is there already, which only what is printed depends on; whoever has it not yet waits for it later. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, early = 0, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);                  //@ take
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                                    //@ give
    MPI_Test(&request, &early, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    printf("%d: %d %d\n", rank, theirs, early);
    MPI_Finalize();
    return 0;
}
