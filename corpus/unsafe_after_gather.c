/* The root takes one message of each rank in whatever order they come; then all send to their right neighbour before they receive.
 *
 * What is unsafe about the second part shows in every order of the first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @report -> @collect
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @report -> @collect
 *   pattern: ring of @pass -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, mine, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = rank;
    if (rank == 0) {
        for (int i = 1; i < np; i++)
            MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ collect
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);                                        //@ report
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % np, 5, MPI_COMM_WORLD);                              //@ pass
    //~^ MAY unsafe-send
    MPI_Recv(&theirs, 1, MPI_INT, (rank + np - 1) % np, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take

    MPI_Finalize();
    return 0;
}
