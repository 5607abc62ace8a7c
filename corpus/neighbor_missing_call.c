/* Pairs of neighbours in a graph, in which only the even ranks and their partners below the last take part: with an odd number of
 * processes the last one has no neighbour, and does not join the collective call, which is for all members of the communicator.
 */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   np: 3, 5, 7
 *   verdict: exact for any np >= 1
 *   channel: MPI_Neighbor_allgather line +18 -> MPI_Neighbor_allgather line +18
 *     senders [1..2*(np / 2)-1] step 2 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 from rank + 1
 *     1 MPI_INT, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_allgather line +18 -> MPI_Neighbor_allgather line +18
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_INT, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Dist_graph_create_adjacent line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_allgather line +18, ranks [0..np-1] for even np >= 2, graph of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Neighbor_allgather line +18 -> MPI_Neighbor_allgather line +18
 *   pattern: shift of MPI_Neighbor_allgather line +18 -> MPI_Neighbor_allgather line +18
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs = -1;
    MPI_Comm pairs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
    int degree = partner < np;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, &partner, MPI_UNWEIGHTED, degree, &partner, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &pairs);
    if (degree > 0)
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, &theirs, 1, MPI_INT, pairs); //~ MUST missing-collective
    printf("rank %d got %d\n", rank, theirs);

    MPI_Comm_free(&pairs);
    MPI_Finalize();
    return 0;
}
