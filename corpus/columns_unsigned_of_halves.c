/* The even and the odd ranks have a mesh each, whose widths are unsigned and multiply to their number: also where one of the two has a
 * single rank, which has no neighbour.
 */
/* expect:
 *   verdict: bounded to 3, 5
 *   assuming: line +18: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   because: line +21: whether there is a case of invalid-rank is not certain
 *   because: line +20: whether `MPI_Send` in line +21 is reached depends on data that may differ between ranks
 *   because: line +23: whether there is a case of invalid-rank is not certain
 *   because: line +26: which processes communicate has no form
 *   because: line +23: whether there is a case of unmatched-recv is not certain (np = 4)
 *   because: the channels shown are those of np = 5
 *   channel: line +21 -> line +23
 *     senders [1..1] to 3
 *     receivers [3..3] from 1
 *     1 MPI_FLOAT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: line +21 -> line +23
 *     senders [2..2] to 4
 *     receivers [4..4] from 2
 *     1 MPI_FLOAT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: line +21 -> line +23
 *     senders [0..0] to 2
 *     receivers [2..2] from 0
 *     1 MPI_FLOAT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int world, rank, np;
    float mine = 1, theirs = 0;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, world % 2, world, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &np);
    unsigned columns = argc > 2 ? (unsigned)atoi(argv[1]) & 255u : (unsigned)np;
    unsigned rows = argc > 2 ? (unsigned)atoi(argv[2]) & 255u : 1;
    if (rows * columns != (unsigned)np)
        MPI_Abort(MPI_COMM_WORLD, 1);
    unsigned column = (unsigned)rank % columns;
    if (column + 1 < columns)
        MPI_Send(&mine, 1, MPI_FLOAT, rank + 1, 0, half);
    if (column > 0)
        MPI_Recv(&theirs, 1, MPI_FLOAT, rank - 1, 0, half, MPI_STATUS_IGNORE);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
