/* There is room for the sum of two numbers, and their product is needed: enough for one process only. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +13: buffer-overflow
 *   collective: MPI_Allgather line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, each = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    short *mine = calloc(each, sizeof *mine);
    short *all = calloc(each + size, sizeof *all);
    MPI_Allgather(mine, each, MPI_SHORT, all, each, MPI_SHORT, MPI_COMM_WORLD); //~ MUST buffer-overflow
    free(mine);
    free(all);

    MPI_Finalize();
    return 0;
}
