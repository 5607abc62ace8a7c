/* The end of MPI is in a function that nobody calls.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

void shut_down(void);

void shut_down(void)
{
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0; //~ MUST missing-finalize
}
