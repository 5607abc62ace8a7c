/* A library duplicates the communicator that it is given, and has no function that frees the duplicate. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +15, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm library = MPI_COMM_NULL;

static void library_begin(MPI_Comm comm)
{
    MPI_Comm_dup(comm, &library); //~ MUST communicator-leak
}

static double library_norm(double part)
{
    double total;

    MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, library);
    return total;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    library_begin(MPI_COMM_WORLD);
    printf("%g\n", library_norm(rank));
    MPI_Finalize();
    return 0;
}
