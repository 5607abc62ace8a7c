/* Synchronous but nonblocking sends to both neighbours: when they are complete, the neighbours have begun to receive.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Issend @to-left -> @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Issend @to-right -> @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Issend @to-left -> @from-right
 *   pattern: shift of MPI_Issend @to-right -> @from-left
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, seen[2] = {-1, -1};
    MPI_Request sends[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Issend(&rank, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &sends[0]);               //@ to-left
    MPI_Issend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &sends[1]);              //@ to-right
    MPI_Recv(&seen[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ from-left
    MPI_Recv(&seen[1], 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ from-right
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
