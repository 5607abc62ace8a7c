/* Rank 2 sends two messages to rank 0, which asks for the second one first: that works only where the first is buffered.
 * The others have nothing to do in the loop and may be any number of steps ahead, which matters not to the two that wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @first -> @take-first
 *     senders [2..2] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @second -> @take-second
 *     senders [2..2] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from 2
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @round -> MPI_Sendrecv @round
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @round -> MPI_Sendrecv @round
 */
#include <mpi.h>
#include <stdlib.h>

static void report(int rank, int size, int *values)
{
    int to = rank == 2 ? 0 : MPI_PROC_NULL;
    int from = rank == 0 && size > 2 ? 2 : MPI_PROC_NULL;

    MPI_Send(&values[0], 1, MPI_INT, to, 0, MPI_COMM_WORLD);                                                        //@ first
    MPI_Send(&values[1], 1, MPI_INT, to, 1, MPI_COMM_WORLD);                                                        //@ second
    MPI_Recv(&values[1], 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                                   //@ take-second
    //~^ MUST unsafe-send: waits for a message from rank 2
    MPI_Recv(&values[0], 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                                   //@ take-first
}

int main(int argc, char **argv)
{
    int rank, size, left, values[2] = {0, 0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int steps = argc > 1 ? atoi(argv[1]) : 10;
    for (int step = 0; step < steps; step++)
        report(rank, size, values);

    int right = rank == size - 1 ? 0 : rank + 1;
    left = rank == 0 ? size - 1 : rank - 1;
    MPI_Sendrecv(&values[0], 1, MPI_INT, right, 0, &values[1], 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);                                                                           //@ round
    MPI_Finalize();
    return 0;
}
