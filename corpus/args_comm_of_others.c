/* Those with an undefined color get no communicator, and take part in its broadcast all the same.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..0] for np = 1, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 1;
    MPI_Comm lower;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 2 * rank < size ? 0 : MPI_UNDEFINED, rank, &lower);
    MPI_Bcast(&x, 1, MPI_INT, 0, lower); //~ MUST invalid-communicator: MPI_COMM_NULL
    if (lower != MPI_COMM_NULL)
        MPI_Comm_free(&lower);
    MPI_Finalize();
    return 0;
}
