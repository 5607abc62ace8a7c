/* The extents of a grid stand in the program, element by element: each process can set them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @extents, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @periods, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define HEIGHT 40

int main(int argc, char **argv)
{
    int rank, extents[3], periods[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        extents[0] = HEIGHT;
        extents[1] = 2 * HEIGHT;
        extents[2] = 7;
        periods[0] = 1;
        periods[1] = 0;
    }
    MPI_Bcast(extents, 3, MPI_INT, 0, MPI_COMM_WORLD); //@ extents //~ NOTE share-constant: `extents` and `periods`
    MPI_Bcast(periods, 2, MPI_INT, 0, MPI_COMM_WORLD); //@ periods

    printf("rank %d: %d %d %d, %d %d\n", rank, extents[0], extents[1], extents[2], periods[0], periods[1]);
    MPI_Finalize();
    return 0;
}
