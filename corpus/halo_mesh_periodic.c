/* A halo in two directions, one after the other: what comes from above and below is passed on to both sides, so that the corners come
 * along without messages of their own. The mesh is closed in both directions.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to 0
 *     receivers [0..0] from np - dim_1_of_2(np)
 *     4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *     senders [np-1..np-1] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from np - 1
 *     4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *     senders [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] to j
 *     receivers [1..dim_1_of_2(np)-2] from dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *     senders [0..dim_0_of_2(np)-2] to rank + 1
 *     receivers [1..dim_0_of_2(np)-1] from rank - 1
 *     4 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *     senders [0..0] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from 0
 *     4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to np - 1
 *     receivers [np-1..np-1] from dim_1_of_2(np) - 1
 *     4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *     senders [1..dim_1_of_2(np)-2] to dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     receivers [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-2] from j
 *     4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *     senders [1..dim_0_of_2(np)-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     4 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to 0
 *     receivers [0..0] from dim_1_of_2(np) - 1
 *     6 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *     senders [np-1..np-1] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from np - 1
 *     6 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *     senders [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) to rank - dim_1_of_2(np) + 1
 *     receivers [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) from rank + dim_1_of_2(np) - 1
 *     6 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     6 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [np-dim_1_of_2(np)..np-dim_1_of_2(np)] to np - 1
 *     receivers [np-1..np-1] from np - dim_1_of_2(np)
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [0..0] to dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_1_of_2(np)-1] from 0
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) to rank + dim_1_of_2(np) - 1
 *     receivers [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) from rank - dim_1_of_2(np) + 1
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [dim_1_of_2(np)+1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)+1] step dim_1_of_2(np) to rank - 1
 *     receivers [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)] step dim_1_of_2(np) from rank + 1
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [2..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-2]} from rank + 1
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *     senders [1..dim_0_of_2(np)-2] to rank
 *     receivers [1..dim_0_of_2(np)-2] from rank
 *     6 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *   pattern: shift of MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *   pattern: shift of MPI_Sendrecv_replace @down -> MPI_Sendrecv_replace @down
 *   pattern: shift of MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *   pattern: shift of MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *   pattern: shift of MPI_Sendrecv_replace @up -> MPI_Sendrecv_replace @up
 *   pattern: shift of MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *   pattern: shift of MPI_Sendrecv_replace @to_right -> MPI_Sendrecv_replace @to_right
 *   pattern: shift of MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *   pattern: shift of MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *   pattern: shift of MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 *   pattern: shift of MPI_Sendrecv_replace @to_left -> MPI_Sendrecv_replace @to_left
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {1, 1}, above, below, left, right;
    double row[4] = {0}, column[6] = {0};
    MPI_Comm mesh;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh); //@ make
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_shift(mesh, 0, 1, &above, &below);
    MPI_Cart_shift(mesh, 1, 1, &left, &right);

    MPI_Sendrecv_replace(row, 4, MPI_DOUBLE, below, 0, above, 0, mesh, MPI_STATUS_IGNORE);    //@ down
    MPI_Sendrecv_replace(row, 4, MPI_DOUBLE, above, 1, below, 1, mesh, MPI_STATUS_IGNORE);    //@ up
    MPI_Sendrecv_replace(column, 6, MPI_DOUBLE, right, 2, left, 2, mesh, MPI_STATUS_IGNORE);  //@ to_right
    MPI_Sendrecv_replace(column, 6, MPI_DOUBLE, left, 3, right, 3, mesh, MPI_STATUS_IGNORE);  //@ to_left
    printf("rank %d: %g %g\n", rank, row[0], column[0]);

    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
