/* The receive is prepared and awaited, but never started: the wait returns at once and `theirs` is what it was. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +16 printf on [0..np-1]: theirs = -1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, theirs = -1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Recv_init(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE); //~ MUST persistent-not-started
    printf("%d: %d\n", rank, theirs);
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
