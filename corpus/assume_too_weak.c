/* The same exchange as in assume_even.c under an assumption that does not help: with an odd number of processes the last even rank
 * sends to a rank that is not there.
 */
/* expect:
 *   verdict: exact for np = 2 and any np >= 4
 *   assuming: np > 1 && np != 3
 *   channel: line +15 -> line +17
 *     senders [0..2*(np / 2)-2] step 2 for even np >= 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 for even np >= 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +15 -> line +17
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    /* anyrank: assume np > 1 && np != 3 */
    theirs = mine = rank;
    if (rank % 2 == 0)
        MPI_Send(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //~ MUST invalid-rank
    else
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d has %g\n", rank, theirs);
    MPI_Finalize();
    return 0;
}
