/* Memory that was never allocated is received into.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +9, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int *list = NULL;

    MPI_Init(&argc, &argv);
    MPI_Bcast(list, 4, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer
    MPI_Finalize();
    return 0;
}
