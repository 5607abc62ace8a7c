/* A halo exchange of nonblocking receives and blocking sends; each receive is waited for where its cell is needed.
 */
/* expect:
 *   verdict: unknown
 *   because: @from-left: `MPI_Irecv` is not followed yet
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
