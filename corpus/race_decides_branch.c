/* Whether the work goes on depends on who is asked first: one process says yes, the other one no.
 */
/* expect:
 *   np: 3
 *   verdict: exact for np = 3
 *   channel: line +23 -> line +8
 *     senders [1..2] to 0
 *     receivers [0..0] from each of [1..2]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +23 -> line +8
 */
#include <mpi.h>
#include <stdio.h>

static int vote(void)
{
    int yes;

    MPI_Recv(&yes, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST message-race
    return yes;
}

int main(int argc, char **argv)
{
    int rank, size, yes;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    yes = rank % 2;
    if (rank > 0)
        MPI_Send(&yes, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        if (vote())
            printf("goes on\n");
        vote();
    }
    MPI_Finalize();
    return 0;
}
