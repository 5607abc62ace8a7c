/* A ring in which all messages have one tag. Of two processes each is on both sides of the other: there the message that comes first is
 * for the left end, and that is the one that was sent to the left. A collective operation would put it at the right end.
 * Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_left
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_left
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_left
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [0..np-1] for np >= 3 to (rank - 1 + np) % np
 *     receivers [0..np-1] for np >= 3 from (rank + 1) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [0..np-1] for np >= 3 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 3 from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_right
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_right
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_right
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_INT, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @to_left -> MPI_Irecv @from_right
 *   pattern: ring of MPI_Isend @to_right -> MPI_Irecv @from_left
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, periodic = 1, left, right, mine[2], theirs[2] = {-1, -1};
    MPI_Comm ring;
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    mine[0] = 2 * rank;
    mine[1] = 2 * rank + 1;

    MPI_Irecv(&theirs[0], 1, MPI_INT, left, 0, ring, &requests[0]); //@ from_left
    MPI_Irecv(&theirs[1], 1, MPI_INT, right, 0, ring, &requests[1]); //@ from_right
    MPI_Isend(&mine[0], 1, MPI_INT, left, 0, ring, &requests[2]); //@ to_left
    MPI_Isend(&mine[1], 1, MPI_INT, right, 0, ring, &requests[3]); //@ to_right
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    printf("%d: %d %d\n", rank, theirs[0], theirs[1]);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
