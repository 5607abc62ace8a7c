/* Four neighbours in a grid that goes around, and room for two of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +13: buffer-overflow
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to 0
 *     receivers [0..0] from np - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to 0
 *     receivers [0..0] from dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [np-1..np-1] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from np - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..0] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..0] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [np-1..np-1] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from np - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to np - 1
 *     receivers [np-1..np-1] from dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to np - 1
 *     receivers [np-1..np-1] from np - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) to rank - dim_1_of_2(np) + 1
 *     receivers [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) from rank + dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) to rank + dim_1_of_2(np) - 1
 *     receivers [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) from rank - dim_1_of_2(np) + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] to j
 *     receivers [1..dim_1_of_2(np)-2] from dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..dim_1_of_2(np)-2] to dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] from j
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2*dim_0_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1] to dim_0_of_2(np)*dim_1_of_2(np) - dim_1_of_2(np)
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)..2*dim_0_of_2(np)-2] from 2*dim_0_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2*dim_0_of_2(np)-2..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)] to dim_0_of_2(np)*dim_1_of_2(np) - dim_1_of_2(np) + 1
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..2*dim_0_of_2(np)-1] from 2*dim_0_of_2(np) - 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2*dim_0_of_2(np)*dim_1_of_2(np)-2*dim_0_of_2(np)-2*dim_1_of_2(np)+2..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1] to rank + 2*dim_0_of_2(np) + 2*dim_1_of_2(np) - 2*dim_0_of_2(np)*dim_1_of_2(np) - 2
 *     receivers [0..1] from rank + 2*dim_0_of_2(np)*dim_1_of_2(np) - 2*dim_0_of_2(np) - 2*dim_1_of_2(np) + 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..1] to rank + dim_0_of_2(np)*dim_1_of_2(np) - dim_1_of_2(np)
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1] from rank + dim_1_of_2(np) - dim_0_of_2(np)*dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [3..2*dim_0_of_2(np)-3] step 2 to rank - 1
 *     receivers [2..2*dim_0_of_2(np)-4] step 2 from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [3..2*dim_0_of_2(np)-3] step 2 to rank - 1
 *     receivers [2..2*dim_0_of_2(np)-4] step 2 from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2..2*dim_0_of_2(np)-4] step 2 to rank + 1
 *     receivers [3..2*dim_0_of_2(np)-3] step 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2..2*dim_0_of_2(np)-4] step 2 to rank + 1
 *     receivers [3..2*dim_0_of_2(np)-3] step 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {2*i + j: i in [0..dim_0_of_2(np)-2], j in [0..1]} to rank + 2
 *     receivers {2*i + j: i in [1..dim_0_of_2(np)-1], j in [0..1]} from rank - 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders {2*i + j: i in [1..dim_0_of_2(np)-1], j in [0..1]} to rank - 2
 *     receivers {2*i + j: i in [0..dim_0_of_2(np)-2], j in [0..1]} from rank + 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..dim_0_of_2(np)-2] to rank + 1
 *     receivers [1..dim_0_of_2(np)-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..dim_0_of_2(np)-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..dim_0_of_2(np)-2] to rank
 *     receivers [1..dim_0_of_2(np)-2] from rank
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..dim_0_of_2(np)-2] to rank
 *     receivers [1..dim_0_of_2(np)-2] from rank
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [2..3] to rank - 2
 *     receivers [0..1] from rank + 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..1] to rank + 2
 *     receivers [2..3] from rank - 2
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..1] to rank
 *     receivers [0..1] from rank
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *     senders [0..1] to rank
 *     receivers [0..1] from rank
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Neighbor_alltoall line +13, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 *   pattern: shift of MPI_Neighbor_alltoall line +13 -> MPI_Neighbor_alltoall line +13
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, extents[2] = {0, 0}, periods[2] = {1, 1};
    double out[4] = {0}, in[2];
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    MPI_Neighbor_alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, grid); //~ MUST buffer-overflow: writes 32 bytes of a buffer that has 16
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return in[0] < 0;
}
