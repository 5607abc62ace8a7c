/* A ring of synchronous sends: every rank waits until its right neighbour receives, which it does only after its own send.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, token;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Ssend(&rank, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                    //~ MUST deadlock
    MPI_Recv(&token, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
