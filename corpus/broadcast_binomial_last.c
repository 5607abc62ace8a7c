/* A broadcast by doubling from the last rank: the places in the tree are counted from it on, around. More than 32
 * processes are left out, as the last rank has a channel of its own in each round.
 */
/* expect:
 *   verdict: exact for np = 1..32
 *   assuming: np <= 32
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 3 to 1
 *     receivers [1..1] for np >= 3 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] for np >= 4 to 2
 *     receivers [2..2] for np >= 4 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 5 to 3
 *     receivers [3..3] for np >= 5 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 9 to 7
 *     receivers [7..7] for np >= 9 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 17 to 15
 *     receivers [15..15] for np >= 17 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..2] for np >= 9 to rank + 4
 *     receivers [4..6] for np >= 9 from rank - 4
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..6] for np >= 17 to rank + 8
 *     receivers [8..14] for np >= 17 from rank - 8
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..np-18] to rank + 16
 *     receivers [16..np-2] from rank - 16
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..np-10] for np = 9..16 to rank + 8
 *     receivers [8..np-2] for np = 9..16 from rank - 8
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..np-6] for np = 5..8 to rank + 4
 *     receivers [4..np-2] for np = 5..8 from rank - 4
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    // anyrank: assume np <= 32
    const int root = np - 1;
    x = rank == root ? 42 : -1;

    int place = (rank - root + np) % np;
    for (int have = 1; have < np; have *= 2) {
        if (place < have) {
            if (place + have < np)
                MPI_Send(&x, 1, MPI_INT, (rank + have) % np, 0, MPI_COMM_WORLD); //@ give //~ NOTE use-collective: MPI_Bcast
        } else if (place < 2 * have) {
            MPI_Recv(&x, 1, MPI_INT, (rank - have + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        }
    }
    printf("%d: %d\n", rank, x);
    MPI_Finalize();
    return 0;
}
