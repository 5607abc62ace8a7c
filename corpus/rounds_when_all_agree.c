/* Whoever has too much to do tells all others; in the rounds in which somebody has, each gives some of it to the next one. Nobody knows
 * before which rounds these are, but all agree.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @most, ranks [0..np-1], MPI_COMM_WORLD, repeat 12
 *   pattern: ring of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, work, more = 0, most;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    srand(rank);
    work = rand() % 100;
    for (int round = 0; round < 12; round++) {
        MPI_Request pending;

        MPI_Allreduce(&work, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);                                          //@ most
        if (most > 50) {
            MPI_Irecv(&more, 1, MPI_INT, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, &pending);                       //@ take
            MPI_Send(&work, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                                       //@ give
            MPI_Wait(&pending, MPI_STATUS_IGNORE);
            work = (work + more) / 2;
        }
        work = work * 3 / 4;
    }
    MPI_Finalize();
    return 0;
}
