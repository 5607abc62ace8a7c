/* What the root sets and broadcasts has names: a macro, a `const` variable, a member of an enumeration, and what is computed from them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @steps, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @cells, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @tolerance, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @width, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +30 printf on [0..np-1]: steps = 10, cells = 68
 */
#include <mpi.h>
#include <stdio.h>

#define TOLERANCE 1e-6
#define CELLS 64

enum { STEPS = 100, PRINTED = 10 };
static const double length = 2.5;

int main(int argc, char **argv)
{
    const int ghosts = 2;
    int rank, steps, cells;
    double tolerance, width;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        steps = STEPS / PRINTED;
        cells = CELLS + 2 * ghosts;
        tolerance = TOLERANCE;
        width = length / CELLS;
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);        //@ steps //~ NOTE share-constant: `steps`, `cells`, `tolerance` and `width`
    MPI_Bcast(&cells, 1, MPI_INT, 0, MPI_COMM_WORLD);        //@ cells
    MPI_Bcast(&tolerance, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); //@ tolerance
    MPI_Bcast(&width, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);     //@ width

    printf("rank %d: %d %d %g %g\n", rank, steps, cells, tolerance, width);
    MPI_Finalize();
    return 0;
}
