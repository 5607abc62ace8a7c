/* Rows and columns of a mesh as communicators of their own: each row agrees on a number, each column adds up what its rows have, and
 * then passes it on downwards, the last one to the first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)..dim_0_of_2(np)*dim_1_of_2(np)-1] to j
 *     receivers [0..dim_1_of_2(np)-1] from dim_1_of_2(np)*(dim_0_of_2(np) - 1) + j
 *     1 MPI_INT, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} to rank + dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} from rank - dim_1_of_2(np)
 *     1 MPI_INT, tag 0, part of grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] to 0
 *     receivers [0..0] from 0
 *     1 MPI_INT, tag 0, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Cart_create @mesh, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @rows, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_sub @columns, ranks [0..np-1], grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @tell, root 0, ranks [rank - (rank % dim_1_of_2(np))..rank + dim_1_of_2(np) - (rank % dim_1_of_2(np)) - 1] for each of {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @add, ranks [(rank % dim_1_of_2(np))..(rank % dim_1_of_2(np)) + dim_0_of_2(np)*dim_1_of_2(np) - dim_1_of_2(np)] step dim_1_of_2(np) for each of {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]}, part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @tell, root 0, ranks [0..0], part of grid of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @add, ranks [0..0], part of grid of MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {1, 0}, along[2] = {0, 1}, down[2] = {1, 0}, word, sum = 0, from, to, got = 0;
    MPI_Comm mesh, row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);                                        //@ mesh
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_sub(mesh, along, &row);                                                                    //@ rows
    MPI_Cart_sub(mesh, down, &column);                                                                  //@ columns

    word = rank;
    MPI_Bcast(&word, 1, MPI_INT, 0, row);                                                               //@ tell
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, column);                                            //@ add
    MPI_Cart_shift(column, 0, 1, &from, &to);
    MPI_Sendrecv(&sum, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, column, MPI_STATUS_IGNORE);        //@ pass

    printf("%d: %d %d\n", rank, sum, got);
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
