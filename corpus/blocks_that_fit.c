/* Blocks of different lengths, in any order, and with gaps.
 *
 * Right; near-miss of count-mismatch and buffer-alias.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Gatherv line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgatherv line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Scatterv line +16, root 1, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoallv line +21, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine[8] = {0}, all[8] = {0}, counts[2] = {1, 3}, backwards[2] = {7, 2};
    int given[2], taken[2], starts[2] = {0, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gatherv(mine, rank == 0 ? 1 : 3, MPI_INT, all, counts, backwards, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
    counts[0] = 3;
    MPI_Scatterv(all, counts, starts, MPI_INT, mine, 3, MPI_INT, 1, MPI_COMM_WORLD);
    given[0] = rank + 1;
    given[1] = rank + 2;
    taken[0] = rank + 1;
    taken[1] = rank + 2;
    MPI_Alltoallv(all, given, starts, MPI_INT, mine, taken, (int[]){0, rank + 1}, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return mine[0] < 0;
}
