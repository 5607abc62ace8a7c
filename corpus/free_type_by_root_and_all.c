/* The root frees the type as soon as it has sent with it, and in the end every rank frees it, the root included. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, pair[2] = {0};
    MPI_Datatype two;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Bcast(pair, 1, two, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Type_free(&two);
    MPI_Type_free(&two); //~ MUST double-free

    MPI_Finalize();
    return 0;
}
