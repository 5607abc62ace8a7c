/* A line of processes that send to both neighbours before they receive from either, with plain sends.
 *
 * With one cell each it works on every machine; with long messages no neighbour pair would get past its first sends.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to-left -> @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @to-right -> @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-left -> @from-right
 *   pattern: shift of @to-right -> @from-left
 */
#include <mpi.h>

#define N 10

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0)
        MPI_Send(&u[1], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD);                            //@ to-left
        //~^ MAY unsafe-send
    if (rank < np - 1)
        MPI_Send(&u[N], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                            //@ to-right
        //~^ MAY unsafe-send
    if (rank > 0)
        MPI_Recv(&u[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ from-left
    if (rank < np - 1)
        MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ from-right

    MPI_Finalize();
    return 0;
}
