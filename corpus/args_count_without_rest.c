/* What is left after the others have got their share may be nothing, but is never less: the count of the last rank is not negative.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +22 -> line +25
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     unknown MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +22 -> line +25
 */
#include <mpi.h>
#include <stdlib.h>

#define TOTAL 1000

static int share_of(int rank, int size)
{
    int share = TOTAL / size;

    return rank < size - 1 ? share : TOTAL - share * (size - 1);
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum[TOTAL] = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(sum, share_of(rank, size), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    else
        for (int from = 1; from < size; from++)
            MPI_Recv(sum, TOTAL, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
