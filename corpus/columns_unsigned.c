/* A mesh whose widths are unsigned and multiply to the number of processes: neither is zero, and each rank but the last of its row has
 * a right neighbour.
 */
/* expect:
 *   verdict: unknown
 *   assuming: line +15: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   because: line +17: whether `MPI_Send` in line +18 is reached depends on data that may differ between ranks
 *   because: line +18: whether there is a case of invalid-rank is not certain (np = 2)
 *   because: line +20: whether there is a case of invalid-rank is not certain (np = 2)
 *   because: line +20: whether there is a case of unmatched-recv is not certain (np = 2)
 *   channel: line +18 -> line +20
 *     senders [0..np-2] for np >= 2 to rank + 1
 *     receivers [1..np-1] for np >= 2 from rank - 1
 *     1 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of line +18 -> line +20
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    float mine = 1, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    unsigned columns = argc > 2 ? (unsigned)atoi(argv[1]) & 255u : (unsigned)np;
    unsigned rows = argc > 2 ? (unsigned)atoi(argv[2]) & 255u : 1;
    if (rows * columns != (unsigned)np)
        MPI_Abort(MPI_COMM_WORLD, 1);
    unsigned column = (unsigned)rank % columns;
    if (column + 1 < columns)
        MPI_Send(&mine, 1, MPI_FLOAT, rank + 1, 0, MPI_COMM_WORLD);
    if (column > 0)
        MPI_Recv(&theirs, 1, MPI_FLOAT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
