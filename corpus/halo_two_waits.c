/* A halo exchange of nonblocking receives and blocking sends; each receive is waited for where its cell is needed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to-right -> MPI_Irecv @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: @to-left -> MPI_Irecv @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-right -> MPI_Irecv @from-left
 *   pattern: shift of @to-left -> MPI_Irecv @from-right
 */
#include <mpi.h>

#define N 40

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};
    MPI_Request from_left, from_right;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &from_left);       //@ from-left
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &from_right); //@ from-right
    MPI_Send(&u[N], 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);                   //@ to-right
    MPI_Send(&u[1], 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD);                    //@ to-left

    MPI_Wait(&from_left, MPI_STATUS_IGNORE);
    u[1] += u[0];
    MPI_Wait(&from_right, MPI_STATUS_IGNORE);
    u[N] += u[N + 1];

    MPI_Finalize();
    return 0;
}
