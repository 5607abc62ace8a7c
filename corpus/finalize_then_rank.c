/* The summary at the end asks for the rank, after MPI has ended.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +9, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); //~ MUST call-after-finalize
    if (rank == 0)
        printf("done\n");
    return 0;
}
