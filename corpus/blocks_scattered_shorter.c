/* The root has four elements for each process, and each expects three.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Scatterv line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, lengths[2] = {4, 4}, starts[2] = {0, 4}, all[8] = {0}, own[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Scatterv(all, lengths, starts, MPI_INT, own, 3, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST count-mismatch: 4 MPI_INT listed for rank 0
    MPI_Finalize();
    return own[0];
}
