/* A line as a graph: processes at its ends have one neighbour, those between two. All exchange three values with each of
 * their neighbours, and ask the graph who they are. The exchange overlaps with a computation.
 */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   assuming: line +32: the exit of the program is not taken
 *   channel: MPI_Ineighbor_alltoallv @swap -> MPI_Ineighbor_alltoallv @swap
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     3 MPI_INT, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Ineighbor_alltoallv @swap -> MPI_Ineighbor_alltoallv @swap
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     3 MPI_INT, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Dist_graph_create_adjacent @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Ineighbor_alltoallv @swap, ranks [0..np-1], graph of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ineighbor_alltoallv @swap -> MPI_Ineighbor_alltoallv @swap
 *   pattern: shift of MPI_Ineighbor_alltoallv @swap -> MPI_Ineighbor_alltoallv @swap
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, number = 0, neighbours[2];
    int indegree, outdegree, weighted, sources[2] = {-1, -1}, destinations[2];
    int counts[2] = {3, 3}, starts[2] = {0, 3}, mine[6], theirs[6] = {0};
    MPI_Comm line;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0)
        neighbours[number++] = rank - 1;
    if (rank < np - 1)
        neighbours[number++] = rank + 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, number, neighbours, MPI_UNWEIGHTED, number, neighbours, //@ make
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &line);
    for (int i = 0; i < 6; i++)
        mine[i] = rank;
    MPI_Ineighbor_alltoallv(mine, counts, starts, MPI_INT, theirs, counts, starts, MPI_INT, line, &request); //@ swap
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += i * rank;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Dist_graph_neighbors_count(line, &indegree, &outdegree, &weighted);
    MPI_Dist_graph_neighbors(line, indegree, sources, MPI_UNWEIGHTED, outdegree, destinations, MPI_UNWEIGHTED);
    if (theirs[0] != sources[0] || (indegree == 2 && theirs[3] != sources[1]))
        MPI_Abort(MPI_COMM_WORLD, 1);
    printf("rank %d: %g\n", rank, sum);

    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
