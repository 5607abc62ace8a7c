/* Cannon's matrix product on a square of processes: one matrix goes round in the rows, the other in the columns, after each has been
 * moved as far as the row or column says.
 */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: exact for any np >= 1
 *   assuming: np == dim_0_of_2(np)*dim_0_of_2(np)
 *   channel: MPI_Sendrecv_replace line +21 -> MPI_Sendrecv_replace line +21
 *     senders {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} to dim_0_of_2(np) * (rank / dim_0_of_2(np)) + (rank % dim_0_of_2(np) + dim_0_of_2(np) - rank / dim_0_of_2(np)) % dim_0_of_2(np)
 *     receivers {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} from dim_0_of_2(np) * (rank / dim_0_of_2(np)) + (rank / dim_0_of_2(np) + rank % dim_0_of_2(np)) % dim_0_of_2(np)
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace line +25 -> MPI_Sendrecv_replace line +25
 *     senders [0..dim_0_of_2(np)*dim_0_of_2(np)-dim_0_of_2(np)] step dim_0_of_2(np) to rank + dim_0_of_2(np) - 1
 *     receivers [dim_0_of_2(np)-1..dim_0_of_2(np)*dim_0_of_2(np)-1] step dim_0_of_2(np) from rank - dim_0_of_2(np) + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat dim_0_of_2(np)
 *   channel: MPI_Sendrecv_replace line +25 -> MPI_Sendrecv_replace line +25
 *     senders {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_0_of_2(np)-1]} to rank - 1
 *     receivers {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat dim_0_of_2(np)
 *   channel: MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 *     senders [0..0] to np - dim_0_of_2(np)
 *     receivers [np-dim_0_of_2(np)..np-dim_0_of_2(np)] from 0
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat dim_0_of_2(np)
 *   channel: MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 *     senders [dim_0_of_2(np)-1..dim_0_of_2(np)-1] to np - 1
 *     receivers [np-1..np-1] from dim_0_of_2(np) - 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 *     senders [1..dim_0_of_2(np)-2] to dim_0_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     receivers [dim_0_of_2(np)*dim_0_of_2(np)-dim_0_of_2(np)+1..dim_0_of_2(np)*dim_0_of_2(np)-2] from j
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat dim_0_of_2(np)
 *   channel: MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 *     senders {dim_0_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} to rank - dim_0_of_2(np)
 *     receivers {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_0_of_2(np)-1]} from rank + dim_0_of_2(np)
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat dim_0_of_2(np)
 *   collective: MPI_Cart_create line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: permutation of MPI_Sendrecv_replace line +21 -> MPI_Sendrecv_replace line +21
 *   pattern: shift of MPI_Sendrecv_replace line +25 -> MPI_Sendrecv_replace line +25
 *   pattern: shift of MPI_Sendrecv_replace line +25 -> MPI_Sendrecv_replace line +25
 *   pattern: shift of MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 *   pattern: shift of MPI_Sendrecv_replace line +27 -> MPI_Sendrecv_replace line +27
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, closed[2] = {1, 1}, at[2], from, to;
    double a, b, c = 0;
    MPI_Comm mesh;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    if (dims[0] != dims[1])
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, closed, 0, &mesh);
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_coords(mesh, rank, 2, at);
    a = b = rank;

    MPI_Cart_shift(mesh, 1, -at[0], &from, &to);
    MPI_Sendrecv_replace(&a, 1, MPI_DOUBLE, to, 0, from, 0, mesh, MPI_STATUS_IGNORE);
    for (int k = 0; k < dims[0]; k++) {
        c += a * b;
        MPI_Cart_shift(mesh, 1, -1, &from, &to);
        MPI_Sendrecv_replace(&a, 1, MPI_DOUBLE, to, 0, from, 0, mesh, MPI_STATUS_IGNORE);
        MPI_Cart_shift(mesh, 0, -1, &from, &to);
        MPI_Sendrecv_replace(&b, 1, MPI_DOUBLE, to, 1, from, 1, mesh, MPI_STATUS_IGNORE);
    }
    printf("%d: %f\n", rank, c);
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
