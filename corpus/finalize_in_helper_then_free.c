/* A function that ends the work ends MPI too; the caller then frees what it has.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +5, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void end_of_work(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    MPI_Comm own;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own); //~ MAY communicator-leak
    end_of_work();
    MPI_Comm_free(&own); //~ MUST call-after-finalize
    return 0;
}
