/* What is broadcast is a number of the program, unless the command line has another one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, steps;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        steps = 12;
        if (argc > 1)
            steps = atoi(argv[1]);
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell

    printf("rank %d: %d\n", rank, steps);
    MPI_Finalize();
    return 0;
}
