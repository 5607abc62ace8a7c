/* Each process sends to the next two and has room for what the two before it send.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   np: >= 3
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   verdict: exact for any np >= 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [np-1..np-1] for np >= 4 to 1
 *     receivers [1..1] for np >= 4 from np - 1
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [0..0] for np >= 4 to each of [1..2]
 *     receivers [1..2] for np >= 4 from 0
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [1..1] for np >= 4 to each of [2..3]
 *     receivers [2..3] for np >= 4 from 1
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [np-3..np-2] for np >= 6 to np - 1
 *     receivers [np-1..np-1] for np >= 6 from each of [np-3..np-2]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [np-4..np-3] for np >= 6 to np - 2
 *     receivers [np-2..np-2] for np >= 6 from each of [np-4..np-3]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [np-2..np-1] for np >= 4 to 0
 *     receivers [0..0] for np >= 4 from each of [np-2..np-1]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [2..np-4] to each of [rank+1..rank+2] within [3..np-3]
 *     receivers [3..np-3] from each of [rank-2..rank-1] within [2..np-4]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [3..3] for np = 5 to 4
 *     receivers [4..4] for np = 5 from 3
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [2..2] for np = 5 to each of [3..4]
 *     receivers [3..4] for np = 5 from 2
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [2..2] for np = 4 to 3
 *     receivers [3..3] for np = 4 from 2
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [0..2] for np = 3 to each other of [0..2]
 *     receivers [0..2] for np = 3 from each other of [0..2]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [0..1] for np = 2 to each of [0..1]
 *     receivers [0..1] for np = 2 from each of [0..1]
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *     senders [0..0] for np = 1 to 0
 *     receivers [0..0] for np = 1 from 0
 *     1 MPI_DOUBLE, tag 0, neighbours in graph of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Dist_graph_create_adjacent line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoall line +16, ranks [0..np-1], graph of MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: fan-out of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: gather of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: gather of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: gather of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: band of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: fan-out of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: all-to-all of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
 *   pattern: all-to-all of MPI_Neighbor_alltoall line +16 -> MPI_Neighbor_alltoall line +16
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
