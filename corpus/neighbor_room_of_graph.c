/* Each process sends to the next two and has room for what the two before it send.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   np: >= 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    double out[2] = {1, 2}, in[2];
    MPI_Comm graph;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int from[2] = {(rank + size - 1) % size, (rank + size - 2) % size};
    int to[2] = {(rank + 1) % size, (rank + 2) % size};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Neighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, graph);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return in[0] < 0;
}
