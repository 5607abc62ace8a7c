/* A halo exchange that is set up once and started in every time step.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Send_init @to-left -> MPI_Recv_init @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 8
 *   channel: MPI_Send_init @to-right -> MPI_Recv_init @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 8
 *   pattern: shift of MPI_Send_init @to-left -> MPI_Recv_init @from-right
 *   pattern: shift of MPI_Send_init @to-right -> MPI_Recv_init @from-left
 */
#include <mpi.h>

#define N 32
#define STEPS 8

int main(int argc, char **argv)
{
    int rank, np;
    double u[N + 2] = {0};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Recv_init(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);      //@ from-left
    MPI_Recv_init(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]); //@ from-right
    MPI_Send_init(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);      //@ to-left
    MPI_Send_init(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);     //@ to-right

    for (int step = 0; step < STEPS; step++) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        u[1] = 0.5 * (u[0] + u[1]);
        u[N] = 0.5 * (u[N] + u[N + 1]);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);

    MPI_Finalize();
    return 0;
}
