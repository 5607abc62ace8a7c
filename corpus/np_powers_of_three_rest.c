/* Where the number of processes is a power of three there is nothing to do; otherwise each process passes a number to the next one. Which
 * numbers these are is found out by a loop that is not followed for any number of processes.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @give -> @take
 *     senders [0..np-2] for np >= 2 and choice >= 1 to rank + 1
 *     receivers [1..np-1] for np >= 2 and choice >= 1 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

static int without_threes(int number)
{
    while (number % 3 == 0)
        number /= 3;
    return number;
}

int main(int argc, char **argv)
{
    int rank, np, passed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (without_threes(np) > 1) {
        if (rank > 0)
            MPI_Recv(&passed, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        passed++;
        if (rank < np - 1)
            MPI_Send(&passed, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                    //@ give
    }
    MPI_Finalize();
    return 0;
}
