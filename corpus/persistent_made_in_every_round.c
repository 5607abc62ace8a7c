/* A persistent send is prepared anew in every round and freed once, behind the loop: those of the earlier rounds are lost. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init line +16 -> line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Send_init line +16 -> line +18
 */
#include <mpi.h>

#define ROUNDS 3

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = rank;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &request); //~ MUST request-leak
        MPI_Start(&request);
        MPI_Recv(&theirs, 1, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);

    MPI_Finalize();
    return 0;
}
