/* One variable holds a type that is freed, then another one; a copy of the first handle is overwritten before it is used again.
 *
 * Right; near-miss of use-after-free, double-free and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int values[6] = {0};
    MPI_Datatype type, last;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    last = type;
    MPI_Bcast(values, 1, last, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);

    MPI_Type_contiguous(6, MPI_INT, &type);
    MPI_Type_commit(&type);
    last = type;
    MPI_Bcast(values, 1, last, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);

    MPI_Finalize();
    return 0;
}
