/* Each process has a number for the next but one on either side. The lists of the graph say who that is, also to the messages. */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @both -> MPI_Sendrecv @both
 *     senders [0..np-1] for np >= 3 to (rank + 2) % np
 *     receivers [0..np-1] for np >= 3 from (rank - 2 + np) % np
 *     1 MPI_INT, tag 7, graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @both -> MPI_Sendrecv @both
 *     senders [0..np-1] for np >= 3 to (rank - 2 + np) % np
 *     receivers [0..np-1] for np >= 3 from (rank + 2) % np
 *     1 MPI_INT, tag 7, graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @both -> MPI_Sendrecv @both
 *     senders [0..np-1] for np = 1..2 to rank
 *     receivers [0..np-1] for np = 1..2 from rank
 *     1 MPI_INT, tag 7, graph of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Dist_graph_create_adjacent @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: cyclic shift of MPI_Sendrecv @both -> MPI_Sendrecv @both
 *   pattern: cyclic shift of MPI_Sendrecv @both -> MPI_Sendrecv @both
 *   pattern: shift of MPI_Sendrecv @both -> MPI_Sendrecv @both
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs[2] = {-1, -1};
    MPI_Comm graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int from[2] = {(rank + 2 * np - 2) % np, (rank + 2) % np}, to[2] = {(rank + 2) % np, (rank + 2 * np - 2) % np};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, //@ make
                                   &graph);

    for (int i = 0; i < 2; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, to[i], 7, &theirs[i], 1, MPI_INT, from[i], 7, graph, MPI_STATUS_IGNORE); //@ both
    //~^ NOTE use-neighbor-collective: `MPI_Neighbor_allgather` is one call for it
    printf("%d: %d %d\n", rank, theirs[0], theirs[1]);

    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
