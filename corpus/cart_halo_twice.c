/* Two steps of a mesh that MPI divides among the processes: in each, rows and columns at the borders are exchanged.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @north -> MPI_Sendrecv @north
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @south -> MPI_Sendrecv @south
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @west -> MPI_Sendrecv @west
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @east -> MPI_Sendrecv @east
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Cart_create line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @north -> MPI_Sendrecv @north
 *   pattern: shift of MPI_Sendrecv @south -> MPI_Sendrecv @south
 *   pattern: shift of MPI_Sendrecv @west -> MPI_Sendrecv @west
 *   pattern: shift of MPI_Sendrecv @east -> MPI_Sendrecv @east
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, north, south, west, east;
    double mine = 1, other = 0;
    MPI_Comm mesh;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_shift(mesh, 0, 1, &north, &south);
    MPI_Cart_shift(mesh, 1, 1, &west, &east);
    for (int step = 0; step < 2; step++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, north, 0, &other, 1, MPI_DOUBLE, south, 0, mesh, MPI_STATUS_IGNORE); //@ north
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, south, 1, &other, 1, MPI_DOUBLE, north, 1, mesh, MPI_STATUS_IGNORE); //@ south
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, west, 2, &other, 1, MPI_DOUBLE, east, 2, mesh, MPI_STATUS_IGNORE); //@ west
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, east, 3, &other, 1, MPI_DOUBLE, west, 3, mesh, MPI_STATUS_IGNORE); //@ east
        mine += other;
    }
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
