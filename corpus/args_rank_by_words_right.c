/* A rank above that of the last by the words of the command line but two: in a program that is started without options it is the last one.
 * What it may be with other options is for those who start it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +13: the root is a rank of the communicator
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Bcast line +13, root np + argc - 2, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, chosen, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    argc -= 2;
    chosen = np + argc;
    mine = rank;
    MPI_Bcast(&mine, 1, MPI_INT, chosen, MPI_COMM_WORLD);
    if (argc == -1 && mine != np - 1)
        theirs = 1;
    MPI_Finalize();
    return theirs;
}
