/* The root deals out four numbers to each process, and each takes three.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   lengths: not proved, line +11: count-mismatch
 *   collective: MPI_Scatterv line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, mine[4] = {0}, all[8] = {0}, counts[2] = {4, 4}, starts[2] = {0, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Scatterv(all, counts, starts, MPI_INT, mine, 3, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST count-mismatch: rank 0 gives 4 MPI_INT to rank 0 by `MPI_Scatterv`, which takes 3 MPI_INT
    MPI_Finalize();
    return mine[0] < 0;
}
