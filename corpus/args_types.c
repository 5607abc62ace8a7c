/* Buffers whose C type is not what the datatype describes.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int counts[4] = {0}, *table = malloc(4 * sizeof(int));
    double x[4] = {0};
    long big = 0;

    MPI_Init(&argc, &argv);

    MPI_Bcast(counts, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(counts, 4, MPI_FLOAT, 0, MPI_COMM_WORLD); //~ MUST buffer-type: `counts` holds int
    MPI_Bcast(x, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);      //~ MUST buffer-type: `x` holds double
    MPI_Bcast(&big, 1, MPI_INT, 0, MPI_COMM_WORLD);     //~ MUST buffer-type: `big` holds long

    /* The address of the pointer instead of the pointer. */
    MPI_Bcast(table, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&table, 2, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST buffer-type: `table` holds pointers

    free(table);
    MPI_Finalize();
    return 0;
}
