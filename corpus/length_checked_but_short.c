/* How many numbers are taken comes from the command line. The program lets one be enough, and three are sent. */
/* expect:
 *   np: >= 2
 *   run: no, it needs an argument
 *   verdict: exact for any np >= 2
 *   assuming: line +13: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   lengths: not proved, @take: message-truncation
 *   channel: @give -> @take
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     3 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, numbers[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int wanted = argc > 1 ? atoi(argv[1]) : 10;
    if (wanted < 1 || wanted > 10 || np < 2)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == np - 1)
        MPI_Send(numbers, 3, MPI_INT, 0, 1, MPI_COMM_WORLD);                                       //@ give
    if (rank == 0)
        MPI_Recv(numbers, wanted, MPI_INT, np - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //@ take
    //~^ MUST message-truncation: but the message has 12 bytes
    MPI_Finalize();
    return 0;
}
