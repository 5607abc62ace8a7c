/* A communicator of rank 0 alone: the others give MPI_UNDEFINED, get MPI_COMM_NULL, and stay away from it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @alone, root 0, ranks [0..0], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @together, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +16 printf on [0..0]: alone = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, alone, value = 1;
    MPI_Comm first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? 0 : MPI_UNDEFINED, 0, &first);           //@ split
    if (first != MPI_COMM_NULL) {
        MPI_Comm_size(first, &alone);
        MPI_Bcast(&value, 1, MPI_INT, 0, first);                                        //@ alone
        printf("%d\n", alone);
        MPI_Comm_free(&first);
    }
    MPI_Barrier(MPI_COMM_WORLD);                                                        //@ together

    MPI_Finalize();
    return 0;
}
