/* Every process sends itself messages on two duplicates of MPI_COMM_SELF that one call has made, and takes those on the second one first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @one -> @first
 *     senders [0..np-1] to rank
 *     receivers [0..np-1] from rank
 *     1 MPI_INT, tag 3, duplicate of MPI_COMM_SELF, repeat 1
 *   channel: MPI_Isend @two -> @second
 *     senders [0..np-1] to rank
 *     receivers [0..np-1] from rank
 *     1 MPI_INT, tag 3, duplicate of MPI_COMM_SELF, repeat 1
 *   collective: MPI_Comm_dup line +11, ranks each of [0..np-1] alone, MPI_COMM_SELF, repeat 2
 *   pattern: shift of MPI_Isend @one -> @first
 *   pattern: shift of MPI_Isend @two -> @second
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int first = 0, second = 0, one = 1, two = 2;
    MPI_Comm own[2];
    MPI_Request sends[2];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &own[i]);

    MPI_Isend(&one, 1, MPI_INT, 0, 3, own[0], &sends[0]);                   //@ one
    MPI_Isend(&two, 1, MPI_INT, 0, 3, own[1], &sends[1]);                   //@ two
    MPI_Recv(&second, 1, MPI_INT, 0, 3, own[1], MPI_STATUS_IGNORE);         //@ second
    MPI_Recv(&first, 1, MPI_INT, 0, 3, own[0], MPI_STATUS_IGNORE);          //@ first
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);

    MPI_Comm_free(&own[0]);
    MPI_Comm_free(&own[1]);
    MPI_Finalize();
    return first != 1 || second != 2;
}
