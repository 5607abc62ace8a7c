/* Two parameters of a run are broadcast one after the other, from a root that is a macro: both are numbers of the program.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @cells, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @width, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define ROOT 0
#define CELLS 40

int main(int argc, char **argv)
{
    int rank, np, cells;
    double width;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == ROOT) {
        cells = CELLS;
        width = 0.25;
    }
    MPI_Bcast(&cells, 1, MPI_INT, ROOT, MPI_COMM_WORLD);    //@ cells //~ NOTE share-constant: `cells` and `width`
    MPI_Bcast(&width, 1, MPI_DOUBLE, ROOT, MPI_COMM_WORLD); //@ width

    printf("rank %d of %d: %g\n", rank, np, cells * width);
    MPI_Finalize();
    return 0;
}
