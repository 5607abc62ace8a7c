/* The mesh is kept in single precision, and sent as if it were in double.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +8, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    float mesh[16] = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Bcast(mesh, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST buffer-type
    MPI_Finalize();
    return 0;
}
