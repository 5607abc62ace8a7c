/* A broadcast that nobody waits for, and a halo that every process waits for.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ibcast @begin, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @to_right -> MPI_Irecv @from_left
 *   pattern: shift of MPI_Isend @to_left -> MPI_Irecv @from_right
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, x = 0, ghost[2], left, right;
    MPI_Request broadcast, halo[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &broadcast); //@ begin //~ MUST request-missing-wait
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Irecv(&ghost[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &halo[0]); //@ from_left
    MPI_Irecv(&ghost[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &halo[1]); //@ from_right
    MPI_Isend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &halo[2]); //@ to_right
    MPI_Isend(&rank, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &halo[3]); //@ to_left
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
