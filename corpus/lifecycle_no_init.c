/* MPI is asked for the rank before it is initialised.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   fact: line +12 printf on [0..0]: initialized = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, initialized, version, subversion;

    MPI_Initialized(&initialized);          /* allowed at any time */
    MPI_Get_version(&version, &subversion); /* so is this */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);   //~ MUST missing-init: MPI_Comm_rank is called before MPI_Init
    if (rank == 0)
        printf("MPI %d.%d, initialized: %d\n", version, subversion, initialized);

    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
