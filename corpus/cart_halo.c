/* A mesh of processes as MPI makes it: open upwards and downwards, closed around to the left and to the right; each process gives its
 * value to the one below and to the one on the right.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [dim_1_of_2(np)-1..dim_1_of_2(np)-1] to 0
 *     receivers [0..0] from dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [np-1..np-1] to np - dim_1_of_2(np)
 *     receivers [np-dim_1_of_2(np)..np-dim_1_of_2(np)] from np - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [2*dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)-1] step dim_1_of_2(np) to rank - dim_1_of_2(np) + 1
 *     receivers [dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-2*dim_1_of_2(np)] step dim_1_of_2(np) from rank + dim_1_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [1..dim_0_of_2(np)-2] to rank
 *     receivers [1..dim_0_of_2(np)-2] from rank
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @mesh, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, up, down, left, right, dims[2] = {0, 0}, periods[2] = {0, 1};
    double mine, above = 0, beside = 0;
    MPI_Comm mesh;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);                                        //@ mesh
    MPI_Comm_rank(mesh, &rank);
    mine = rank;
    MPI_Cart_shift(mesh, 0, 1, &up, &down);
    MPI_Cart_shift(mesh, 1, 1, &left, &right);

    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, down, 0, &above, 1, MPI_DOUBLE, up, 0, mesh, MPI_STATUS_IGNORE);         //@ down
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 1, &beside, 1, MPI_DOUBLE, left, 1, mesh, MPI_STATUS_IGNORE);     //@ right

    printf("%d: %f %f\n", rank, above, beside);
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
