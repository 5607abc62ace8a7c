/* A halo exchange with blocking calls: first all send to the right, then all send to the left.
 *
 * The ends of the line talk to MPI_PROC_NULL, so each wave of sends begins at an end and needs no buffering.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to-right -> @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @to-left -> @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-right -> @from-left
 *   pattern: shift of @to-left -> @from-right
 */
#include <mpi.h>

#define N 100

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank > 0) ? rank - 1 : MPI_PROC_NULL;
    int right = (rank < np - 1) ? rank + 1 : MPI_PROC_NULL;

    for (int i = 1; i <= N; i++)
        u[i] = rank * N + i;

    MPI_Send(&u[N], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);                        //@ to-right
    MPI_Recv(&u[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ from-left
    MPI_Send(&u[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD);                         //@ to-left
    MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from-right

    MPI_Finalize();
    return 0;
}
