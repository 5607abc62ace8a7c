/* Two blocks that a gather receives share an element.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Gatherv line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, mine[4] = {0}, all[8] = {0}, counts[2] = {4, 4}, starts[2] = {0, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gatherv(mine, 4, MPI_INT, all, counts, starts, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST buffer-alias: receives 1 MPI_INT of the buffer twice, from rank 0 and from rank 1
    MPI_Finalize();
    return all[0] < 0;
}
