/* Each process tells the root how many numbers it is going to send, and the root takes one fewer from the last one but not from the others. */
/* expect:
 *   np: 2, 3, 4, 5, 6
 *   verdict: exact for np = 2..6
 *   lengths: not proved, line +19: message-truncation
 *   channel: line +22 -> line +18
 *     senders [1..np-2] to 0
 *     receivers [0..0] from each of [1..np-2]
 *     sender + 2 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +22 -> line +19
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     np + 1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Gather @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +22 -> line +18
 */
#include <mpi.h>

#define MOST 6

int main(int argc, char **argv)
{
    int rank, np, length, lengths[MOST] = {0}, numbers[MOST + 1] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 2 || np > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    length = rank + 2;
    MPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, MPI_COMM_WORLD);               //@ tell
    if (rank == 0) {
        for (int from = 1; from < np - 1; from++)
            MPI_Recv(numbers, lengths[from], MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(numbers, lengths[np - 1] - 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        //~^ MUST message-truncation: but the message has
    } else {
        MPI_Send(numbers, length, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
