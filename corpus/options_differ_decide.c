/* Two levels from the command line: whether they differ is the same on all ranks, whichever of them is greater. So all come to the
 * barrier, or none.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Barrier line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier line +22, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int coarse = 0, fine = 0;

    MPI_Init(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        switch (argv[i][0]) {
        case 'c':
            coarse = atoi(argv[i] + 1);
            break;
        case 'f':
            fine = atoi(argv[i] + 1);
            break;
        default:
            break;
        }
    }
    if (coarse != fine)
        MPI_Barrier(MPI_COMM_WORLD);
    if (coarse + 2 * fine)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
