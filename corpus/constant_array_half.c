/* The root sets two of three elements here; the third one is what it has computed before.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @extents, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, extents[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    extents[2] = rank + np;

    if (rank == 0) {
        extents[0] = 40;
        extents[1] = 80;
    }
    MPI_Bcast(extents, 3, MPI_INT, 0, MPI_COMM_WORLD); //@ extents

    printf("rank %d: %d %d %d\n", rank, extents[0], extents[1], extents[2]);
    MPI_Finalize();
    return 0;
}
