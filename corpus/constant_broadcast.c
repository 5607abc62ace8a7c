/* The root knows how many steps there are, and tells all others, which could read it in the program, too.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, steps;
    long sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0)
        steps = 12;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell //~ NOTE share-constant: `steps`

    for (int i = 0; i < steps; i++)
        sum += i * rank;
    printf("rank %d: %ld\n", rank, sum);
    MPI_Finalize();
    return 0;
}
