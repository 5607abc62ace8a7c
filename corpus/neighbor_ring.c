/* A ring as a graph: each process has one neighbour on the left, from which it gets, and one on the right, to which it gives. */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   verdict: exact for any np >= 1
 *   assuming: line +20: the exit of the program is not taken
 *   channel: MPI_Neighbor_allgather @pass -> MPI_Neighbor_allgather @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Dist_graph_create_adjacent @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_allgather @pass, ranks [0..np-1], graph of MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Neighbor_allgather @pass -> MPI_Neighbor_allgather @pass
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, indegree, outdegree, weighted, theirs = -1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, //@ make
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &indegree, &outdegree, &weighted);
    if (indegree == 1 && outdegree == 1)
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, &theirs, 1, MPI_INT, ring); //@ pass
    if (theirs != left)
        MPI_Abort(MPI_COMM_WORLD, 1);
    printf("rank %d got %d\n", rank, theirs);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
