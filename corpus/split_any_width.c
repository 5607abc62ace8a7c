/* Rows and columns of a mesh of any width by MPI_Comm_split: a ring in each row, a sum in each column. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [dim_1_of_2(np)-1..dim_0_of_2(np)*dim_1_of_2(np)-1] step dim_1_of_2(np) to rank - dim_1_of_2(np) + 1
 *     receivers [0..dim_0_of_2(np)*dim_1_of_2(np)-dim_1_of_2(np)] step dim_1_of_2(np) from rank + dim_1_of_2(np) - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-2]} to rank + 1
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [1..dim_1_of_2(np)-1]} from rank - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..0] to 0
 *     receivers [0..0] from 0
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @columns, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @add, ranks [(rank % dim_1_of_2(np))..(rank % dim_1_of_2(np)) + dim_0_of_2(np)*dim_1_of_2(np) - dim_1_of_2(np)] step dim_1_of_2(np) for each of {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]}, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @add, ranks [0..0], split of MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, me, width, sum = 0, got = 0;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Comm_split(MPI_COMM_WORLD, rank / dims[1], rank % dims[1], &row);                               //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, rank % dims[1], rank / dims[1], &column);                            //@ columns

    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &width);
    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % width, 0, &got, 1, MPI_INT, (me + width - 1) % width, 0, row, MPI_STATUS_IGNORE);    //@ pass
    MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, column);                                             //@ add

    printf("%d: %d %d\n", rank, got, sum);
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
