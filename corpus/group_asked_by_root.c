/* The root alone asks which rank of MPI_COMM_WORLD leads the reversed communicator; of the two groups it takes it frees one. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first = 0, leader;
    MPI_Comm reversed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);

    if (rank == 0) {
        MPI_Group ours, all;
        MPI_Comm_group(reversed, &ours); //~ MUST group-leak
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_translate_ranks(ours, 1, &first, all, &leader);
        printf("led by %d\n", leader);
        MPI_Group_free(&all);
    }

    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return 0;
}
