/* The root sets two variables, and broadcasts one of them: the other one has another value on all other processes, which is meant.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +17 printf on [0..np-1]: steps = 12
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, steps, first = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        steps = 12;
        first = 1;
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell

    printf("rank %d: %d %d\n", rank, steps, first);
    MPI_Finalize();
    return 0;
}
