/* All others write to rank 1, each with its own rank as the tag. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: line +15 -> line +13
 *     senders [0..np-1] for np >= 3 to each other of [1..1]
 *     receivers [1..1] for np >= 3 from each other of [0..np-1]
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: line +15 -> line +13
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of line +15 -> line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int me, procs, letter = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (me == 1) {
        for (int from = procs - 1; from >= 0; from--)
            if (from != 1)
                MPI_Recv(&letter, 1, MPI_INT, from, from, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (procs > 1) {
        MPI_Send(&letter, 1, MPI_INT, 1, me, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
