/* A variable gets a second type while another one still has the first, which then is overwritten as well. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +17, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int values[6] = {0};
    MPI_Datatype type, last;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &type);                   //~ MUST datatype-leak
    MPI_Type_commit(&type);
    last = type;
    MPI_Bcast(values, 1, last, 0, MPI_COMM_WORLD);

    MPI_Type_contiguous(6, MPI_INT, &type);
    MPI_Type_commit(&type);
    last = type;
    MPI_Bcast(values, 1, last, 0, MPI_COMM_WORLD);
    MPI_Type_free(&last);

    MPI_Finalize();
    return 0;
}
