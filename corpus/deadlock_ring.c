/* A ring in which every rank receives from the left before it sends to the right: nobody ever begins.
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

    int left = (rank + np - 1) % np;
    int right = (rank + 1) % np;

    MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //~ MUST deadlock
    MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
