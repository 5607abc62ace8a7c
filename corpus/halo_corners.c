/* A halo exchange with corners: first between neighbours in a row, then between neighbours in a column, which pass on what they got. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-right -> MPI_Irecv @from-left
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to-left -> MPI_Irecv @from-right
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} to rank - 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @downwards -> MPI_Irecv @from-above
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     3 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @upwards -> MPI_Irecv @from-below
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     3 MPI_DOUBLE, tag 3, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @mesh, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @to-right -> MPI_Irecv @from-left
 *   pattern: shift of MPI_Isend @to-left -> MPI_Irecv @from-right
 *   pattern: shift of MPI_Isend @downwards -> MPI_Irecv @from-above
 *   pattern: shift of MPI_Isend @upwards -> MPI_Irecv @from-below
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, open[2] = {0, 0}, up, down, left, right;
    double row[3] = {0, 0, 0}, above[3] = {0}, below[3] = {0};
    MPI_Comm mesh;
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 0, &mesh);                                           //@ mesh
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_shift(mesh, 0, 1, &up, &down);
    MPI_Cart_shift(mesh, 1, 1, &left, &right);

    row[1] = rank;
    MPI_Irecv(&row[0], 1, MPI_DOUBLE, left, 0, mesh, &requests[0]);                                     //@ from-left
    MPI_Irecv(&row[2], 1, MPI_DOUBLE, right, 1, mesh, &requests[1]);                                    //@ from-right
    MPI_Isend(&row[1], 1, MPI_DOUBLE, right, 0, mesh, &requests[2]);                                    //@ to-right
    MPI_Isend(&row[1], 1, MPI_DOUBLE, left, 1, mesh, &requests[3]);                                     //@ to-left
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

    MPI_Irecv(above, 3, MPI_DOUBLE, up, 2, mesh, &requests[0]);                                         //@ from-above
    MPI_Irecv(below, 3, MPI_DOUBLE, down, 3, mesh, &requests[1]);                                       //@ from-below
    MPI_Isend(row, 3, MPI_DOUBLE, down, 2, mesh, &requests[2]);                                         //@ downwards
    MPI_Isend(row, 3, MPI_DOUBLE, up, 3, mesh, &requests[3]);                                           //@ upwards
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

    printf("%d: %f %f\n", rank, above[1], below[1]);
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
