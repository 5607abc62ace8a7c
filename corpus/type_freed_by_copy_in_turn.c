/* One variable makes types in turn; each is known by a copy in the meantime, and freed by it.
 *
 * Right; near-miss of datatype-leak and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int values[6] = {0};
    MPI_Datatype type, kept[3];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        MPI_Type_contiguous(2 * (i + 1), MPI_INT, &type);
        MPI_Type_commit(&type);
        kept[i] = type;
        MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++)
        MPI_Type_free(&kept[i]);

    MPI_Finalize();
    return 0;
}
