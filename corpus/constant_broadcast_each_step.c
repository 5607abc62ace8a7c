/* The constant is broadcast again in each step, although the steps change it only after that.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, left, done = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int step = 0; step < 4; step++) {
        if (rank == 0) {
            left = -3;
        }
        MPI_Bcast(&left, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell //~ NOTE share-constant
        left += rank;
        done += left * step;
    }

    printf("rank %d: %d\n", rank, done);
    MPI_Finalize();
    return 0;
}
