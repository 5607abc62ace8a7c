/* A ring in both directions at once: two receives and two sends are started, then all four are waited for.
 *
 * The two directions are told apart by their tags; with two processes both go to the same neighbour.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-right -> MPI_Irecv @from-left
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to-left -> MPI_Irecv @from-right
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @to-right -> MPI_Irecv @from-left
 *   pattern: ring of MPI_Isend @to-left -> MPI_Irecv @from-right
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, from_left, from_right;
    MPI_Request requests[4];
    MPI_Status statuses[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank - 1 + np) % np;
    int right = (rank + 1) % np;

    MPI_Irecv(&from_left, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[0]);   //@ from-left
    MPI_Irecv(&from_right, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]); //@ from-right
    MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[2]);       //@ to-right
    MPI_Isend(&rank, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[3]);        //@ to-left
    MPI_Waitall(4, requests, statuses);
    printf("%d is between %d and %d\n", rank, from_left, from_right);

    MPI_Finalize();
    return 0;
}
