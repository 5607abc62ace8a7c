/* The root commits the type in its branch; the other ranks use one that they have not committed. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, settings[8] = {0};
    const int displacements[3] = {0, 3, 6};
    MPI_Datatype chosen;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Type_create_indexed_block(3, 2, displacements, MPI_INT, &chosen); //~ NOTE simplify-datatype: MPI_Type_vector
    if (rank == 0) {
        settings[0] = 1;
        settings[3] = 2;
        MPI_Type_commit(&chosen);
    }
    MPI_Bcast(settings, 1, chosen, 0, MPI_COMM_WORLD); //~ MUST datatype-uncommitted
    MPI_Type_free(&chosen);

    MPI_Finalize();
    return 0;
}
