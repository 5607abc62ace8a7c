/* The root sends a row of 100 numbers, the workers have room for 64. */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @take: message-truncation
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     100 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

#define ROW 100
#define ROOM 64

int main(int argc, char **argv)
{
    int rank, np;
    float row[ROW] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int worker = 1; worker < np; worker++)
            MPI_Send(row, ROW, MPI_FLOAT, worker, 0, MPI_COMM_WORLD);                  //@ give
    } else {
        MPI_Recv(row, ROOM, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take
        //~^ MUST message-truncation: 256 bytes
    }

    MPI_Finalize();
    return 0;
}
