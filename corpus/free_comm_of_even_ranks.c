/* The even ranks free their part as soon as they have its sum, and then all ranks meet at a barrier of their part. */
/* expect:
 *   verdict: exact for any np >= 3
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +12, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +12, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    if (rank % 2 == 0)
        MPI_Comm_free(&part);
    MPI_Barrier(part); //~ MUST use-after-free
    if (rank % 2 == 1)
        MPI_Comm_free(&part);

    MPI_Finalize();
    return 0;
}
