/* A ring as a graph in which the two ends of an edge do not agree: each process names its right neighbour as the one to which it gives,
 * and the right one again as the one from which it gets.
 */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   np: >= 3
 *   verdict: exact for any np >= 3
 *   collective: MPI_Dist_graph_create_adjacent line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_allgather line +18, ranks [0..np-1], graph of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs = -1;
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 3)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int right = (rank + 1) % np;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &right, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &theirs, 1, MPI_INT, ring); //~ MUST deadlock
    printf("rank %d got %d\n", rank, theirs);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
