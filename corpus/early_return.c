/* A program that has nothing to do on one process says so, finalises and returns early; its parts return early, too.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static int rank, np;

/* The last rank's number comes back to rank 0. */
static int last_number(void)
{
    int number = rank * 3;

    if (rank == np - 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);                                  //@ give
        return number;
    }
    if (rank != 0)
        return -1;
    MPI_Recv(&number, 1, MPI_INT, np - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              //@ take
    return number;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np == 1) {
        printf("nobody to talk to\n");
        MPI_Finalize();
        return 0;
    }
    last_number();
    MPI_Finalize();
    return 0;
}
