/* The process that sets the variable is not the one that broadcasts it: all get the root's own value.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +15 printf on [0..0], [1..1], [2..np-1]: level = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, level = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 1)
        level = 7;
    MPI_Bcast(&level, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell

    printf("rank %d: %d\n", rank, level);
    MPI_Finalize();
    return 0;
}
