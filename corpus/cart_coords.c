/* Coordinates there and back: each process of a mesh looks up its own,
 * and the first of each row sends to the last of it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)] step dim_1_of_2(np) to rank + dim_1_of_2(np) - 1
 *     receivers [dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-1] step dim_1_of_2(np) from rank - dim_1_of_2(np) + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @mesh, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], end[2], other, kind, ndims;
    double value = 0;
    MPI_Comm mesh;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);                                        //@ mesh
    MPI_Comm_rank(mesh, &rank);
    MPI_Topo_test(mesh, &kind);
    if (kind != MPI_CART)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Cartdim_get(mesh, &ndims);
    MPI_Cart_coords(mesh, rank, ndims, coords);

    end[0] = coords[0];
    if (dims[1] > 1 && coords[1] == 0) {
        end[1] = dims[1] - 1;
        MPI_Cart_rank(mesh, end, &other);
        MPI_Send(&value, 1, MPI_DOUBLE, other, 0, mesh);                                                //@ give
    } else if (dims[1] > 1 && coords[1] == dims[1] - 1) {
        end[1] = 0;
        MPI_Cart_rank(mesh, end, &other);
        MPI_Recv(&value, 1, MPI_DOUBLE, other, 0, mesh, MPI_STATUS_IGNORE);                             //@ take
    }

    printf("%d: %f\n", rank, value);
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
