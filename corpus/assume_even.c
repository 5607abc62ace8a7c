/* Even ranks give to odd ones, for process counts that a comment says are even; the header of another program would check it. */
/* expect:
 *   np: 2, 4, 6, 8, 10, 12, 14, 16
 *   verdict: exact for any even np >= 2
 *   assuming: np % 2 == 0
 *   channel: @give -> @take
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

static double exchange(MPI_Comm comm, double mine)
{
    int rank, np;
    double theirs = mine;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &np);
    // anyrank: assume np % 2 == 0
    if (rank % 2 == 0)
        MPI_Send(&mine, 1, MPI_DOUBLE, rank + 1, 0, comm); //@ give
    else
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank - 1, 0, comm, MPI_STATUS_IGNORE); //@ take
    return theirs;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d has %g\n", rank, exchange(MPI_COMM_WORLD, rank));
    MPI_Finalize();
    return 0;
}
